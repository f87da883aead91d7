#include "headwise/autograd/kernels/reduce.h"

#include <vector>

#include "headwise/autograd/kernels/parallel.h"
#include "headwise/autograd/kernels/sum.h"

namespace headwise::kernels {
namespace {

// One long sum: subtrees of whole blocks are summed by the threads and then joined in order.
template <class T>
T sum_in_parallel(const T* x, int64_t n, int64_t stride) {
  constexpr int64_t piece = 64 * sum_block;
  if (n <= piece) return sum_of(x, n, stride);
  const int64_t pieces = (n + piece - 1) / piece;
  static thread_local std::vector<T> sums;
  sums.resize(static_cast<size_t>(pieces));
  T* const results = sums.data();
  parallel_for(pieces, 1, [&](int64_t begin, int64_t end) {
    for (int64_t p = begin; p < end; ++p)
      results[p] = sum_of(x + p * piece * stride, std::min(piece, n - p * piece), stride);
  });
  BlockTree<T> tree;
  for (int64_t p = 0; p < pieces; ++p) tree.add(results[p]);
  return tree.total();
}

// Neighbouring outputs whose terms lie side by side: the same partial sums, a vector of outputs at a time.
template <class T>
void sum_columns(T* out, const T* in, int64_t columns, int64_t n, int64_t stride) {
  constexpr int64_t width = 32;
  for (int64_t first = 0; first < columns; first += width) {
    const int64_t count = std::min(width, columns - first);
    std::array<BlockTree<T>, width> trees;
    for (int64_t start = 0; start < n; start += sum_block) {
      T lanes[sum_lanes][width];
      const int64_t stop = std::min(n, start + sum_block), used = partial_sums(stop - start);
      for (int64_t l = 0; l < used; ++l) std::fill(lanes[l], lanes[l] + width, T{0});
      for (int64_t i = start; i < stop; ++i) {
        T* const lane = lanes[(i - start) % sum_lanes];
        const T* const row = in + i * stride + first;
        for (int64_t c = 0; c < count; ++c) lane[c] += row[c];
      }
      for (int64_t half = used / 2; half > 0; half /= 2)
        for (int64_t l = 0; l < half; ++l)
          for (int64_t c = 0; c < width; ++c) lanes[l][c] += lanes[l + half][c];
      for (int64_t c = 0; c < count; ++c) trees[static_cast<size_t>(c)].add(lanes[0][c]);
    }
    for (int64_t c = 0; c < count; ++c) out[first + c] = trees[static_cast<size_t>(c)].total();
  }
}

template <class F>
void for_each_output(const StridedLoop<2>& kept, F&& body) {
  const size_t inner = kept.inner();
  for_each_run(kept, [&](const std::array<int64_t, 2>& at, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
      body(at[0] + i * kept.strides[0][inner], at[1] + i * kept.strides[1][inner]);
  });
}

}  // namespace

template <class T>
void sum(const StridedLoop<2>& kept, T* out, const T* in, int64_t n, int64_t stride) {
  const size_t inner = kept.inner();
  const bool side_by_side = kept.strides[0][inner] == 1 && kept.strides[1][inner] == 1;
  if (kept.rank == 1 && kept.sizes[0] == 1) {
    *out = sum_in_parallel(in, n, stride);
  } else if (side_by_side && kept.sizes[inner] > 1) {
    for_each_run(kept, [&](const std::array<int64_t, 2>& at, int64_t count) {
      sum_columns(out + at[0], in + at[1], count, n, stride);
    });
  } else {
    for_each_output(kept, [&](int64_t o, int64_t i) { out[o] = sum_of(in + i, n, stride); });
  }
}

template <class T>
void argmax(const StridedLoop<2>& kept, int64_t* out, const T* in, int64_t n, int64_t stride) {
  for_each_output(kept, [&](int64_t o, int64_t i) {
    const T* const terms = in + i;
    int64_t best = 0;
    for (int64_t k = 1; k < n && terms[best * stride] == terms[best * stride]; ++k)
      if (!(terms[k * stride] <= terms[best * stride])) best = k;
    out[o] = best;
  });
}

template <class T>
void max(const StridedLoop<2>& kept, T* out, const T* in, int64_t n, int64_t stride) {
  for_each_output(kept, [&](int64_t o, int64_t i) {
    T largest = in[i];
    for (int64_t k = 1; k < n && largest == largest; ++k) {
      const T term = in[i + k * stride];
      if (!(term <= largest)) largest = term;
    }
    out[o] = largest;
  });
}

#define HEADWISE_INSTANTIATE(T)                                             \
  template void sum(const StridedLoop<2>&, T*, const T*, int64_t, int64_t); \
  template void max(const StridedLoop<2>&, T*, const T*, int64_t, int64_t); \
  template void argmax(const StridedLoop<2>&, int64_t*, const T*, int64_t, int64_t);
HEADWISE_INSTANTIATE(float)
HEADWISE_INSTANTIATE(double)
HEADWISE_INSTANTIATE(int64_t)
#undef HEADWISE_INSTANTIATE

}  // namespace headwise::kernels
