// One fused pass over a parameter and its state per optimiser step. All spans are contiguous, of n elements.
#pragma once

#include <cstdint>

namespace headwise::kernels {

/// With g' = g + decay p,
///   buffer = first ? g' : momentum buffer + (1 - dampening) g'
///   d = nesterov ? g' + momentum buffer : buffer        (d = g' when buffer is null)
///   p -= lr d
template <class T>
struct SgdRule {
  T lr, momentum, dampening, weight_decay;
  bool nesterov, first;
};
template <class T>
void sgd(const SgdRule<T>& rule, T* p, const T* g, T* buffer, int64_t n);

/// With g' = g + coupled_decay p and p' = p (1 - lr decoupled_decay):
///   m = beta1 m + (1 - beta1) g',  v = beta2 v + (1 - beta2) g'^2
///   p = p' - step m / (sqrt(v) correction + epsilon)
/// where step = lr / (1 - beta1^t) and correction = 1 / sqrt(1 - beta2^t).
template <class T>
struct AdamRule {
  T beta1, beta2, epsilon, coupled_decay, shrink, step, correction;
};
template <class T>
void adam(const AdamRule<T>& rule, T* p, const T* g, T* m, T* v, int64_t n);

}  // namespace headwise::kernels
