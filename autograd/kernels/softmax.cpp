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

template <class T>
inline constexpr T lowest = -std::numeric_limits<T>::infinity();

// e^(row - shift) at a vector of a row; beyond the row 0, which is e^-infinity.
template <class T, class At>
[[gnu::always_inline]] inline Vector<T> shifted_exp(const At& at, const T* row, T shift) {
  return exp_vector<T>(at.load(row, lowest<T>) - shift);
}

}  // namespace

template <class T>
T largest_of(const T* row, int64_t n) {
  auto larger = [](const auto& x, const auto& best) { return x > best ? x : best; };
  Vector<T> best = broadcast<Vector<T>>(lowest<T>);
  for_each_vector<T>(n, [&](const auto& at) { best = larger(at.load(row, lowest<T>), best); });
  return fold<T>(best, larger);
}

template <class T>
LogSum<T> log_sum(const T* row, int64_t n) {
  const T largest = largest_of(row, n);
  if (std::isinf(largest)) {
    const bool unordered = std::any_of(row, row + n, [](T x) { return x != x; });
    return {unordered ? std::numeric_limits<T>::quiet_NaN() : largest, 0};
  }
  return {largest,
          std::log(sum_vectors<T>(n, [&](const auto& at) { return shifted_exp(at, row, largest); }))};
}

template <class T>
bool softmax_row(T* row, int64_t n) {
  const T largest = largest_of(row, n);
  if (largest == lowest<T>) {
    const bool unordered = std::any_of(row, row + n, [](T x) { return x != x; });
    std::fill(row, row + n, unordered ? std::numeric_limits<T>::quiet_NaN() : T{0});
    return unordered;
  }
  const T scale = 1 / sum_vectors<T>(n, [&](const auto& at) {
                    const Vector<T> y = shifted_exp(at, row, largest);
                    at.store(row, y);
                    return y;
                  });
  for_each_vector<T>(n, [&](const auto& at) { at.store(row, at.load(row) * scale); });
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
    const T total = sum_vectors<T>(n, [=](const auto& at) { return at.load(p) * at.load(g); });
    if (total != total && is_zero(g, n)) return std::fill(d, d + n, T{0});
    for_each_vector<T>(n, [=](const auto& at) { at.store(d, at.load(p) * (at.load(g) - total)); });
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
    for_each_vector<T>(n, [=, y = y + r * n, dy = dy + r * n, dx = dx + r * n](const auto& at) {
      at.store(dx, at.load(dy) - exp_vector<T>(at.load(y)) * total);
    });
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
