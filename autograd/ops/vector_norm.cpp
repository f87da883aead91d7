#include "headwise/autograd/ops/vector_norm.h"

#include <limits>
#include <type_traits>

#include "headwise/autograd/kernels/reduce.h"
#include "headwise/autograd/ops/arithmetic.h"
#include "headwise/autograd/ops/creation.h"
#include "headwise/autograd/ops/extremes.h"
#include "headwise/autograd/ops/math.h"
#include "headwise/autograd/ops/power.h"
#include "headwise/autograd/ops/reduction.h"
#include "headwise/autograd/ops/select.h"
#include "headwise/autograd/record.h"

namespace headwise {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// y = (sum x^2)^(1/2)    dx = dy x / y, and 0 where y = 0: the zero vector is divided by infinity
Tensor euclidean(const ops::Reduction& reduction, const Tensor& x) {
  Tensor y = ops::reduce("norm", reduction, x, x.dtype(),
                         [&]<class T>(const auto& loop, const Tensor& out, const T* in, auto n, auto stride) {
                           if constexpr (std::is_floating_point_v<T>)
                             kernels::euclidean_norm(loop, out.pointer<T>(), in, n, stride);
                         });
  return record("norm", y, inputs(x), saves(x, y),
                [kept = reduction.kept_shape](Vjp& v, const Tensor& input, const Tensor& result) {
                  const Tensor length = masked_fill(result, result <= 0.0, infinity).view(kept);
                  v.give(0, zero_safe_mul(v.cotangent().view(kept), input / length));
                });
}

// x^p for x >= 0, with derivatives 0 where x = 0.
Tensor power(const Tensor& x, double p) {
  const Tensor zero = x.detach() <= 0.0;
  return masked_fill(pow(masked_fill(x, zero, 1), p), zero, 0);
}

}  // namespace

Tensor norm(const Tensor& x, Axes axes, const NormOptions& options) {
  require_floating("norm", x);
  require(options.p > 0, "norm: p must be greater than 0, got {}", options.p);
  const ops::Reduction reduction("norm", x.shape(), {axes.begin(), axes.size()}, options.keepdim);
  if (options.p == 2) return euclidean(reduction, x);
  const Tensor terms = abs(x);
  if (options.p == 1 || reduction.terms == 0) return sum(terms, axes, options.keepdim);
  if (options.p == infinity) return amax(terms, axes, options.keepdim);
  // Scaled by the largest term, unless that is 0 or infinite.
  const Tensor largest = amax(terms.detach(), axes, true);
  const Tensor nonzero = masked_fill(largest, largest <= 0.0, 1);
  const Tensor scale = masked_fill(nonzero, nonzero == scalar_like(nonzero, infinity), 1);
  const Tensor powers = sum(power(terms / scale, options.p), axes, true);
  return (power(powers, 1 / options.p) * scale).view(reduction.result);
}

Tensor norm(const Tensor& x, Axes axes, bool keepdim) { return norm(x, axes, {.keepdim = keepdim}); }
Tensor norm(const Tensor& x, const NormOptions& options) { return norm(x, {}, options); }

}  // namespace headwise
