#include "headwise/autograd/ops/reduce.h"

#include "headwise/autograd/kernels/reduce.h"
#include "headwise/autograd/ops/arithmetic.h"
#include "headwise/autograd/ops/reduction.h"
#include "headwise/autograd/record.h"

namespace headwise {
namespace {

// y = sum of x           dx = dy, repeated
Tensor reduce_sum(const Tensor& x, std::span<const int> axes, bool keepdim, bool compensated = false) {
  const ops::Reduction reduction("sum", x.shape(), axes, keepdim);
  Tensor y = ops::reduce("sum", reduction, x, x.dtype(),
                         [&]<class T>(const auto& loop, const Tensor& out, const T* in, auto n, auto stride) {
                           if (compensated) {
                             kernels::compensated_sum(loop, out.pointer<T>(), in, n, stride);
                           } else {
                             kernels::sum(loop, out.pointer<T>(), in, n, stride);
                           }
                         });
  return record("sum", y, inputs(x), saves(), [kept = reduction.kept_shape](Vjp& v) {
    v.give(0, v.cotangent().view(kept).expand(v.input_shape(0)));
  });
}

// The product along an axis, which stays with size 1: pairs, pairs of pairs and so on, so that the vjp of a
// product of two holds each term's siblings and never divides by a term.
Tensor prod_along(Tensor x, int axis) {
  if (x.shape()[axis] == 0) return sum(x, {axis}, true) + 1.0;
  Tensor odd;
  for (int64_t n = x.shape()[axis]; n > 1; n /= 2) {
    if (n % 2 == 1) {
      const Tensor last = x.slice(axis, n - 1, n);
      odd = odd.defined() ? odd * last : last;
    }
    x = x.slice(axis, 0, n / 2) * x.slice(axis, n / 2, n - n % 2);
  }
  return odd.defined() ? x * odd : x;
}

}  // namespace

Tensor sum(const Tensor& x, Axes axes, bool keepdim) {
  return reduce_sum(x, {axes.begin(), axes.size()}, keepdim);
}
Tensor sum(const Tensor& x, Axes axes, const SumOptions& options) {
  return reduce_sum(x, {axes.begin(), axes.size()}, options.keepdim, options.compensated);
}
Tensor sum(const Tensor& x, const SumOptions& options) { return sum(x, {}, options); }

Tensor mean(const Tensor& x, Axes axes, bool keepdim) {
  require_floating("mean", x);
  const ops::Reduction reduction("mean", x.shape(), {axes.begin(), axes.size()}, keepdim);
  reduction.require_terms("mean", x.shape());
  return sum(x, axes, keepdim) / static_cast<double>(reduction.terms);
}

Tensor prod(const Tensor& x, Axes axes, bool keepdim) {
  require(x.dtype() != boolean, "prod: expected a number, got bool");
  const ops::Reduction reduction("prod", x.shape(), {axes.begin(), axes.size()}, keepdim);
  Tensor y = reduction.terms == 1 ? x.clone() : x;
  for (int axis = 0; axis < x.rank(); ++axis)
    if (reduction.reduced[static_cast<size_t>(axis)] && x.shape()[axis] != 1) y = prod_along(y, axis);
  return y.view(reduction.result);
}

Tensor sum_to(const Tensor& x, const Shape& shape) {
  if (x.shape() == shape) return x;
  std::array<int, max_rank> axes{};
  size_t count = 0;
  const int lead = x.rank() - shape.rank();
  for (int axis = 0; axis < x.rank(); ++axis)
    if (axis < lead || (shape[axis - lead] == 1 && x.shape()[axis] != 1)) axes[count++] = axis;
  return count ? reduce_sum(x, {axes.data(), count}, true).view(shape) : x.view(shape);
}

}  // namespace headwise
