#include "headwise/autograd/kernels/softmax.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "headwise/autograd/kernels/exp.h"
#include "headwise/autograd/kernels/parallel.h"
#include "headwise/autograd/kernels/sum.h"

namespace headwise::kernels {
namespace {

// A vector's worth of exponentials costs about as much as twenty plain elements.
constexpr int64_t row_grain = 32768;

// out = e^(row - shift)
template <class T>
void shifted_exp(const T* row, T* out, int64_t n, T shift) {
  map_vectors<T>(row, out, n, shift, [shift](Vector<T> x) { return exp_vector<T>(x - shift); });
}

}  // namespace

template <class T>
T largest_of(const T* row, int64_t n) {
  using V = Vector<T>;
  constexpr T lowest = -std::numeric_limits<T>::infinity();
  V best = broadcast<V>(lowest);
  int64_t i = 0;
  for (; i + lane_count<T> <= n; i += lane_count<T>) {
    const V x = load<V>(row + i);
    best = x > best ? x : best;
  }
  T largest = lowest;
  for (int l = 0; l < lane_count<T>; ++l) largest = best[l] > largest ? best[l] : largest;
  for (; i < n; ++i) largest = row[i] > largest ? row[i] : largest;
  return largest;
}

// In chunks, so that no buffer of the row's length is needed.
template <class T>
LogSum<T> log_sum(const T* row, int64_t n) {
  const T largest = largest_of(row, n);
  if (std::isinf(largest)) {
    const bool unordered = std::any_of(row, row + n, [](T x) { return x != x; });
    return {unordered ? std::numeric_limits<T>::quiet_NaN() : largest, 0};
  }
  BlockTree<T> blocks;
  for (int64_t start = 0; start < n; start += sum_block) {
    T terms[sum_block];
    const int64_t count = std::min(sum_block, n - start);
    shifted_exp(row + start, terms, count, largest);
    blocks.add(sum_of(terms, count));
  }
  return {largest, std::log(blocks.total())};
}

template <class T>
bool softmax_row(T* row, int64_t n) {
  const T largest = largest_of(row, n);
  if (largest == -std::numeric_limits<T>::infinity()) {
    const bool unordered = std::any_of(row, row + n, [](T x) { return x != x; });
    std::fill(row, row + n, unordered ? std::numeric_limits<T>::quiet_NaN() : T{0});
    return unordered;
  }
  shifted_exp(row, row, n, largest);
  const T scale = 1 / sum_of(row, n);
  for (int64_t j = 0; j < n; ++j) row[j] *= scale;
  return true;
}

template <class T>
bool is_zero(const T* row, int64_t n) {
  return std::all_of(row, row + n, [](T x) { return x == 0; });
}

template <class T>
void softmax(const T* x, T* y, int64_t rows, int64_t n) {
  parallel_rows(rows, n, row_grain, [&](int64_t r) {
    std::copy(x + r * n, x + (r + 1) * n, y + r * n);
    softmax_row(y + r * n, n);
  });
}

template <class T>
void softmax_vjp(const T* y, const T* dy, T* dx, int64_t rows, int64_t n) {
  parallel_rows(rows, n, row_grain, [&](int64_t r) {
    const T* const p = y + r * n;
    const T* const g = dy + r * n;
    T* const d = dx + r * n;
    const T total = sum_terms<T>(n, [=](int64_t j) { return p[j] * g[j]; });
    if (total != total && is_zero(g, n)) return std::fill(d, d + n, T{0});
    for (int64_t j = 0; j < n; ++j) d[j] = p[j] * (g[j] - total);
  });
}

template <class T>
void logsumexp(const T* x, T* y, int64_t rows, int64_t n) {
  parallel_rows(rows, n, row_grain, [&](int64_t r) { y[r] = log_sum(x + r * n, n).total(); });
}

template <class T>
void logsumexp_vjp(const T* x, const T* dy, T* dx, int64_t rows, int64_t n) {
  parallel_rows(rows, n, row_grain, [&](int64_t r) {
    T* const d = dx + r * n;
    if (dy[r] == 0) return std::fill(d, d + n, T{0});
    std::copy(x + r * n, x + (r + 1) * n, d);
    softmax_row(d, n);
    for (int64_t j = 0; j < n; ++j) d[j] *= dy[r];
  });
}

template <class T>
void log_softmax(const T* x, T* y, int64_t rows, int64_t n) {
  parallel_rows(rows, n, row_grain, [&](int64_t r) {
    const LogSum<T> sum = log_sum(x + r * n, n);
    for (int64_t j = 0; j < n; ++j) y[r * n + j] = (x[r * n + j] - sum.largest) - sum.rest;
  });
}

template <class T>
void log_softmax_vjp(const T* y, const T* dy, T* dx, int64_t rows, int64_t n) {
  parallel_rows(rows, n, row_grain, [&](int64_t r) {
    const T total = sum_of(dy + r * n, n);
    if (total == 0) {
      std::copy(dy + r * n, dy + (r + 1) * n, dx + r * n);
      return;
    }
    shifted_exp(y + r * n, dx + r * n, n, T{0});
    for (int64_t j = 0; j < n; ++j) dx[r * n + j] = dy[r * n + j] - dx[r * n + j] * total;
  });
}

#define HEADWISE_INSTANTIATE(T)                                          \
  template T largest_of(const T*, int64_t);                              \
  template LogSum<T> log_sum(const T*, int64_t);                         \
  template bool softmax_row(T*, int64_t);                                \
  template bool is_zero(const T*, int64_t);                              \
  template void softmax(const T*, T*, int64_t, int64_t);                 \
  template void softmax_vjp(const T*, const T*, T*, int64_t, int64_t);   \
  template void logsumexp(const T*, T*, int64_t, int64_t);               \
  template void logsumexp_vjp(const T*, const T*, T*, int64_t, int64_t); \
  template void log_softmax(const T*, T*, int64_t, int64_t);             \
  template void log_softmax_vjp(const T*, const T*, T*, int64_t, int64_t);
HEADWISE_INSTANTIATE(float)
HEADWISE_INSTANTIATE(double)
#undef HEADWISE_INSTANTIATE

}  // namespace headwise::kernels
