#include "headwise/autograd/kernels/optimiser.h"

#include <cmath>

#include "headwise/autograd/kernels/parallel.h"
#include "headwise/autograd/kernels/strided.h"

namespace headwise::kernels {

template <class T>
void sgd(const SgdRule<T>& rule, T* p, const T* g, T* buffer, int64_t n) {
  parallel_for(n, elementwise_grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const T gradient = g[i] + rule.weight_decay * p[i];
      T direction = gradient;
      if (buffer) {
        buffer[i] = rule.first ? gradient : rule.momentum * buffer[i] + (1 - rule.dampening) * gradient;
        direction = rule.nesterov ? gradient + rule.momentum * buffer[i] : buffer[i];
      }
      p[i] -= rule.lr * direction;
    }
  });
}

template <class T>
void adam(const AdamRule<T>& rule, T* p, const T* g, T* m, T* v, int64_t n) {
  const AdamRule<T> r = rule;
  parallel_for(n, elementwise_grain, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const T gradient = g[i] + r.coupled_decay * p[i];
      const T first = r.beta1 * m[i] + (1 - r.beta1) * gradient;
      const T second = r.beta2 * v[i] + (1 - r.beta2) * (gradient * gradient);
      m[i] = first;
      v[i] = second;
      p[i] = p[i] * r.shrink - r.step * first / (std::sqrt(second) * r.correction + r.epsilon);
    }
  });
}

#define HEADWISE_INSTANTIATE(T)                                    \
  template void sgd(const SgdRule<T>&, T*, const T*, T*, int64_t); \
  template void adam(const AdamRule<T>&, T*, const T*, T*, T*, int64_t);
HEADWISE_INSTANTIATE(float)
HEADWISE_INSTANTIATE(double)
#undef HEADWISE_INSTANTIATE

}  // namespace headwise::kernels
