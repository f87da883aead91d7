#include "headwise/autograd/ops/statistics.h"

#include <cmath>

#include "headwise/autograd/ops/arithmetic.h"
#include "headwise/autograd/ops/reduction.h"
#include "headwise/autograd/ops/vector_norm.h"

namespace headwise {
namespace {

struct Deviations {
  Tensor from_mean;
  double divisor;
};

Deviations deviations(const char* op, const Tensor& x, Axes axes, const VarianceOptions& options) {
  require_floating(op, x);
  const ops::Reduction reduction(op, x.shape(), {axes.begin(), axes.size()}, options.keepdim);
  reduction.require_terms(op, x.shape());
  require(options.correction >= 0, "{}: a correction of {} must be at least 0", op, options.correction);
  require(
      reduction.terms > options.correction || reduction.kept_shape.numel() == 0,
      "{}: shape {} has {} terms along the axes given, and a correction of {} leaves nothing to divide by; "
      "give a smaller .correction",
      op, x.shape(), reduction.terms, options.correction);
  const Tensor mean = sum(x, axes, true) / static_cast<double>(reduction.terms);
  return {x - mean, static_cast<double>(reduction.terms - options.correction)};
}

}  // namespace

Tensor var(const Tensor& x, Axes axes, const VarianceOptions& options) {
  const auto [d, divisor] = deviations("var", x, axes, options);
  return sum(d * d, axes, options.keepdim) / divisor;
}
Tensor var(const Tensor& x, Axes axes, bool keepdim) { return var(x, axes, {.keepdim = keepdim}); }
Tensor var(const Tensor& x, const VarianceOptions& options) { return var(x, {}, options); }

Tensor stddev(const Tensor& x, Axes axes, const VarianceOptions& options) {
  const auto [d, divisor] = deviations("stddev", x, axes, options);
  return norm(d, axes, options.keepdim) / std::sqrt(divisor);
}
Tensor stddev(const Tensor& x, Axes axes, bool keepdim) { return stddev(x, axes, {.keepdim = keepdim}); }
Tensor stddev(const Tensor& x, const VarianceOptions& options) { return stddev(x, {}, options); }

}  // namespace headwise
