// Reductions over axes. Negative axes count from the end; an empty list of axes means all of them. An
// element's sum runs in an order that depends on the number of its terms alone (see kernels/sum.h).
#pragma once

#include <initializer_list>

#include "headwise/autograd/tensor.h"

namespace headwise {

using Axes = std::initializer_list<int>;

/// f32, f64 and i64; the sum over nothing is 0. `keepdim` leaves reduced axes in place with size 1.
Tensor sum(const Tensor& x, Axes axes = {}, bool keepdim = false);
/// The sum divided by the number of terms; f32 and f64. The mean over nothing is an Error.
Tensor mean(const Tensor& x, Axes axes = {}, bool keepdim = false);
/// The largest term; tied terms share the gradient evenly. NaN when a term is. Error over nothing.
Tensor max(const Tensor& x, Axes axes = {}, bool keepdim = false);
/// The index (i64) of the first of the largest terms along one axis; carries no gradient. Error over nothing.
Tensor argmax(const Tensor& x, int axis, bool keepdim = false);

/// Sums `x` down to a shape that broadcasts to x's: the vjp of broadcasting.
Tensor sum_to(const Tensor& x, const Shape& shape);

}  // namespace headwise
