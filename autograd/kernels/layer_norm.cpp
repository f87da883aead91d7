#include "headwise/autograd/kernels/layer_norm.h"

#include <algorithm>
#include <cmath>

#include "headwise/autograd/kernels/parallel.h"
#include "headwise/autograd/kernels/softmax.h"
#include "headwise/autograd/kernels/sum.h"

namespace headwise::kernels {
namespace {

constexpr int64_t row_grain = 65536;

}  // namespace

template <class T>
void layer_norm(const T* x, const T* weight, const T* bias, T epsilon, T* y, T* mean, T* inverse_deviation,
                int64_t rows, int64_t n) {
  parallel_rows(rows, n, row_grain, [&](int64_t r) {
    const T* const row = x + r * n;
    T* const out = y + r * n;
    const T centre = sum_of(row, n) / static_cast<T>(n);
    const T variance =
        sum_terms<T>(n, [=](int64_t j) { return (row[j] - centre) * (row[j] - centre); }) / static_cast<T>(n);
    const T scale = 1 / std::sqrt(variance + epsilon);
    for (int64_t j = 0; j < n; ++j) out[j] = (row[j] - centre) * scale;
    if (weight)
      for (int64_t j = 0; j < n; ++j) out[j] *= weight[j];
    if (bias)
      for (int64_t j = 0; j < n; ++j) out[j] += bias[j];
    mean[r] = centre;
    inverse_deviation[r] = scale;
  });
}

// With z = (x - mean) s and g = dy weight:  dx = s (g - mean(g) - z mean(g z))
template <class T>
void layer_norm_vjp(const T* x, const T* weight, const T* mean, const T* inverse_deviation, const T* dy,
                    T* dx, int64_t rows, int64_t n) {
  parallel_rows(rows, n, row_grain, [&](int64_t r) {
    const T* const row = x + r * n;
    T* const d = dx + r * n;
    const T centre = mean[r], scale = inverse_deviation[r];
    const T* const g = dy + r * n;
    for (int64_t j = 0; j < n; ++j) {
      const T product = weight ? g[j] * weight[j] : g[j];
      d[j] = g[j] == 0 && product != product ? T{0} : product;
    }
    const T mean_g = sum_of(d, n) / static_cast<T>(n);
    const T mean_gz =
        sum_terms<T>(n, [=](int64_t j) { return d[j] * ((row[j] - centre) * scale); }) / static_cast<T>(n);
    if (mean_gz != mean_gz && is_zero(d, n)) return std::fill(d, d + n, T{0});
    for (int64_t j = 0; j < n; ++j) d[j] = scale * (d[j] - mean_g - (row[j] - centre) * scale * mean_gz);
  });
}

#define HEADWISE_INSTANTIATE(T)                                                            \
  template void layer_norm(const T*, const T*, const T*, T, T*, T*, T*, int64_t, int64_t); \
  template void layer_norm_vjp(const T*, const T*, const T*, const T*, const T*, T*, int64_t, int64_t);
HEADWISE_INSTANTIATE(float)
HEADWISE_INSTANTIATE(double)
#undef HEADWISE_INSTANTIATE

}  // namespace headwise::kernels
