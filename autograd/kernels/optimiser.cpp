#include "headwise/autograd/kernels/optimiser.h"

#include <cmath>

#include "headwise/autograd/kernels/parallel.h"
#include "headwise/autograd/kernels/strided.h"

namespace headwise::kernels {

namespace {

// The loops stand apart from their closures, which would have to be read again after every store.

template <class T>
void sgd_range(const SgdRule<T> r, T* __restrict p, const T* __restrict g, T* __restrict buffer, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    const T gradient = g[i] + r.weight_decay * p[i];
    T direction = gradient;
    if (buffer) {
      buffer[i] = r.first ? gradient : r.momentum * buffer[i] + (1 - r.dampening) * gradient;
      direction = r.nesterov ? gradient + r.momentum * buffer[i] : buffer[i];
    }
    p[i] -= r.lr * direction;
  }
}

template <class T>
void adam_range(const AdamRule<T> r, T* __restrict p, const T* __restrict g, T* __restrict m, T* __restrict v,
                int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    const T gradient = g[i] + r.coupled_decay * p[i];
    const T first = r.beta1 * m[i] + (1 - r.beta1) * gradient;
    const T second = r.beta2 * v[i] + (1 - r.beta2) * (gradient * gradient);
    m[i] = first;
    v[i] = second;
    p[i] = p[i] * r.shrink - r.step * first / (std::sqrt(second) * r.correction + r.epsilon);
  }
}

}  // namespace

template <class T>
void sgd(const SgdRule<T>& rule, T* p, const T* g, T* buffer, int64_t n) {
  parallel_for(n, elementwise_grain, [&](int64_t begin, int64_t end) {
    sgd_range(rule, p + begin, g + begin, buffer ? buffer + begin : nullptr, end - begin);
  });
}

template <class T>
void adam(const AdamRule<T>& rule, T* p, const T* g, T* m, T* v, int64_t n) {
  parallel_for(n, elementwise_grain, [&](int64_t begin, int64_t end) {
    adam_range(rule, p + begin, g + begin, m + begin, v + begin, end - begin);
  });
}

#define HEADWISE_INSTANTIATE(T)                                    \
  template void sgd(const SgdRule<T>&, T*, const T*, T*, int64_t); \
  template void adam(const AdamRule<T>&, T*, const T*, T*, T*, int64_t);
HEADWISE_INSTANTIATE(float)
HEADWISE_INSTANTIATE(double)
#undef HEADWISE_INSTANTIATE

}  // namespace headwise::kernels
