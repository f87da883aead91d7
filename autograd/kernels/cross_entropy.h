// Cross-entropy of contiguous rows of logits against one target class each.
#pragma once

#include <cstdint>

namespace headwise::kernels {

/// How a row's loss is made. `weights` (one per class) may be null; a row whose target is `ignored` counts
/// for nothing.
template <class T>
struct CrossEntropyRule {
  int64_t classes;
  T smoothing;
  const T* weights;
  int64_t ignored;
};

/// With l = logsumexp(x), s = smoothing, w = weights, t = target:
///   loss = (1 - s) w_t (l - x_t) + s / C sum_c w_c (l - x_c)
/// Writes the loss and l - max x of each row; 0 for ignored rows.
template <class T>
void cross_entropy(const CrossEntropyRule<T>& rule, const T* logits, const int64_t* targets, T* losses,
                   T* log_sums, int64_t rows);

/// dlogits = f ( ((1 - s) w_t + s / C sum w) e^(x - l) - (1 - s) w_t [c = t] - s / C w_c ), by row, with
/// f = scale * dlosses[row * dlosses_step]; zeros where f is 0, whatever the logits.
template <class T>
void cross_entropy_vjp(const CrossEntropyRule<T>& rule, const T* logits, const int64_t* targets,
                       const T* log_sums, const T* dlosses, int64_t dlosses_step, T scale, T* dlogits,
                       int64_t rows);

}  // namespace headwise::kernels
