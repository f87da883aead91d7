// Sums in one order that depends on the number of terms alone.
//
// n terms are cut into blocks of sum_block. In a block, term i goes to partial sum i mod sum_lanes; the
// partial sums are then added as a balanced tree, and so are the blocks. The order is the same for any stride
// or layout and for any number of threads, and a long f32 sum does not stick, since a partial sum never
// gathers more than sum_block / sum_lanes terms before it meets its equals.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "headwise/autograd/kernels/vector.h"

namespace headwise::kernels {

inline constexpr int64_t sum_lanes = 16, sum_block = 1024;

/// How many partial sums a block of n terms has: a power of two, so that they add up as a balanced tree.
inline int64_t partial_sums(int64_t n) {
  return static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(std::min(n, sum_lanes))));
}

/// A sum that carries the rounding errors of its additions along: Neumaier's, each error by Knuth's six
/// operations, which need no branch. An aggregate, so that a partial sum can stay unset.
template <class T>
struct Compensated {
  T sum, rest;

  Compensated& operator+=(T x) {
    const T total = sum + x, added = total - sum;
    rest += (sum - (total - added)) + (x - added);
    sum = total;
    return *this;
  }
  Compensated& operator+=(const Compensated& other) {
    *this += other.sum;
    rest += other.rest;
    return *this;
  }
  friend Compensated operator+(Compensated a, const Compensated& b) { return a += b; }
  /// An infinite or NaN sum has no error to add.
  explicit operator T() const { return std::isfinite(sum) ? sum + rest : sum; }
};

/// Adds partial sums as a balanced tree: sum l meets l + 8, then l + 4, and so on. Those that gathered no
/// term are 0 and change nothing.
template <class T>
T sum_of_lanes(std::array<T, sum_lanes>& lanes) {
  unrolled<std::bit_width(static_cast<uint64_t>(sum_lanes)) - 1>([&](auto level) {
    constexpr size_t half = static_cast<size_t>(sum_lanes) >> (level + 1);
    for (size_t l = 0; l < half; ++l) lanes[l] += lanes[l + half];
  });
  return lanes[0];
}

/// Adds block sums as they come: 2^k finished blocks are always one number on the stack.
template <class T>
class BlockTree {
 public:
  void add(T sum) {
    for (uint64_t finished = ++count_; (finished & 1) == 0; finished >>= 1) sum = stack_[--height_] + sum;
    stack_[height_++] = sum;
  }
  T total() const {
    if (height_ == 0) return T{};
    T sum = stack_[height_ - 1];
    for (size_t level = height_ - 1; level-- > 0;) sum = stack_[level] + sum;
    return sum;
  }

 private:
  std::array<T, 48> stack_;
  size_t height_ = 0;
  uint64_t count_ = 0;
};

/// term(start) + .. + term(stop - 1), at most sum_block of them.
template <class T, class Term>
T sum_one_block(int64_t start, int64_t stop, Term&& term) {
  std::array<T, sum_lanes> partial{};
  int64_t i = start;
  for (; i + sum_lanes <= stop; i += sum_lanes)
    for (int64_t l = 0; l < sum_lanes; ++l) partial[static_cast<size_t>(l)] += term(i + l);
  for (size_t l = 0; i < stop; ++i, ++l) partial[l] += term(i);
  return sum_of_lanes(partial);
}

/// The sum of n terms by blocks, of which block(start, stop) is one.
template <class T, class Block>
[[gnu::always_inline]] inline T sum_by_blocks(int64_t n, Block&& block) {
  if (n <= sum_block) return block(int64_t{0}, n);
  BlockTree<T> blocks;
  for (int64_t start = 0; start < n; start += sum_block)
    blocks.add(block(start, std::min(n, start + sum_block)));
  return blocks.total();
}

/// term(0) + .. + term(n - 1), on the calling thread.
template <class T, class Term>
T sum_terms(int64_t n, Term&& term) {
  return sum_by_blocks<T>(n,
                          [&](int64_t start, int64_t stop) { return sum_one_block<T>(start, stop, term); });
}

/// sum_one_block with a vector of terms at a time.
template <class T, class Term>
[[gnu::always_inline]] inline T sum_one_block_of_vectors(int64_t start, int64_t stop, Term&& term) {
  constexpr int pieces = int{sum_lanes} / lane_count<T>;
  Vector<T> partial[std::size_t{pieces}] = {};
  int64_t i = start;
  for (; i + sum_lanes <= stop; i += sum_lanes)
    unrolled<pieces>([&](auto p) __attribute__((always_inline)) {
      partial[p] += term(WholeVector<T>{i + p * lane_count<T>});
    });
  unrolled<pieces>([&](auto p) __attribute__((always_inline)) {
    if (i + lane_count<T> <= stop)
      partial[p] += term(WholeVector<T>{i});
    else if (i < stop)
      partial[p] += term(PartialVector<T>{i, stop - i});
    i += lane_count<T>;
  });
  unrolled<std::bit_width(unsigned{pieces}) - 1>([&](auto level) __attribute__((always_inline)) {
    constexpr int half = pieces >> (level + 1);
    unrolled<half>([&](auto p) __attribute__((always_inline)) { partial[p] += partial[p + half]; });
  });
  return fold<T>(partial[0], [](const auto& a, const auto& b) { return a + b; });
}

/// sum_terms with a vector of terms at a time: term gets a WholeVector or a PartialVector of a row of n
/// elements and returns its terms, 0 in the lanes beyond the row.
template <class T, class Term>
[[gnu::always_inline]] inline T sum_vectors(int64_t n, Term&& term) {
  return sum_by_blocks<T>(
      n, [&](int64_t start, int64_t stop)
             __attribute__((always_inline)) { return sum_one_block_of_vectors<T>(start, stop, term); });
}

/// The sum of n elements of x, `stride` apart, collected in a Sum.
template <class T, class Sum = T>
Sum sum_of(const T* x, int64_t n, int64_t stride = 1) {
  if constexpr (std::is_same_v<Sum, T>)
    if (stride == 1) return sum_vectors<T>(n, [x](const auto& at) { return at.load(x); });
  return sum_terms<Sum>(n, [x, stride](int64_t i) { return x[i * stride]; });
}

}  // namespace headwise::kernels
