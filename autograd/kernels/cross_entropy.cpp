#include "headwise/autograd/kernels/cross_entropy.h"

#include "headwise/autograd/kernels/exp.h"
#include "headwise/autograd/kernels/parallel.h"
#include "headwise/autograd/kernels/softmax.h"
#include "headwise/autograd/kernels/sum.h"

namespace headwise::kernels {
namespace {

constexpr int64_t row_grain = 32768;

template <class T>
T weight_of(const CrossEntropyRule<T>& rule, int64_t c) {
  return rule.weights ? rule.weights[c] : T{1};
}

template <class T>
T total_weight(const CrossEntropyRule<T>& rule) {
  return rule.weights ? sum_of(rule.weights, rule.classes) : static_cast<T>(rule.classes);
}

}  // namespace

template <class T>
void cross_entropy(const CrossEntropyRule<T>& rule, const T* logits, const int64_t* targets, T* losses,
                   T* log_sums, int64_t rows) {
  const int64_t classes = rule.classes;
  const T share = rule.smoothing / static_cast<T>(classes);
  parallel_rows(rows, classes, row_grain, [&](int64_t r) {
    const T* const x = logits + r * classes;
    const int64_t target = targets[r];
    losses[r] = log_sums[r] = 0;
    if (target == rule.ignored) return;
    const LogSum<T> sum = log_sum(x, classes);
    log_sums[r] = sum.rest;
    auto surprise = [&](int64_t c) { return sum.rest - (x[c] - sum.largest); };
    losses[r] = (1 - rule.smoothing) * weight_of(rule, target) * surprise(target);
    if (share != 0)
      losses[r] += share * sum_terms<T>(classes, [&](int64_t c) { return weight_of(rule, c) * surprise(c); });
  });
}

template <class T>
void cross_entropy_vjp(const CrossEntropyRule<T>& rule, const T* logits, const int64_t* targets,
                       const T* log_sums, const T* dlosses, int64_t dlosses_step, T scale, T* dlogits,
                       int64_t rows) {
  const int64_t classes = rule.classes;
  const T share = rule.smoothing / static_cast<T>(classes), spread = share * total_weight(rule);
  parallel_rows(rows, classes, row_grain, [&](int64_t r) {
    const int64_t target = targets[r];
    T* const d = dlogits + r * classes;
    const T factor = dlosses[r * dlosses_step] * scale;
    if (target == rule.ignored || factor == 0) {
      std::fill(d, d + classes, T{0});
      return;
    }
    const T own = (1 - rule.smoothing) * weight_of(rule, target), rest = log_sums[r];
    const T share_of_all = factor * (own + spread), largest = largest_of(logits + r * classes, classes);
    for_each_vector<T>(classes, [=, row = logits + r * classes](const auto& at) {
      at.store(d, exp_vector<T>((at.load(row) - largest) - rest) * share_of_all);
    });
    if (share != 0)
      for (int64_t c = 0; c < classes; ++c) d[c] -= factor * share * weight_of(rule, c);
    d[target] -= factor * own;
  });
}

#define HEADWISE_INSTANTIATE(T)                                                                             \
  template void cross_entropy(const CrossEntropyRule<T>&, const T*, const int64_t*, T*, T*, int64_t);       \
  template void cross_entropy_vjp(const CrossEntropyRule<T>&, const T*, const int64_t*, const T*, const T*, \
                                  int64_t, T, T*, int64_t);
HEADWISE_INSTANTIATE(float)
HEADWISE_INSTANTIATE(double)
#undef HEADWISE_INSTANTIATE

}  // namespace headwise::kernels
