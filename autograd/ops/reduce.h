// Sums, means and products over axes. Negative axes count from the end; an empty list of axes means all of
// them, and `keepdim` leaves reduced axes in place with size 1. An element's sum runs in an order that
// depends on the number of its terms alone (see kernels/sum.h).
#pragma once

#include <initializer_list>

#include "headwise/autograd/tensor.h"

namespace headwise {

using Axes = std::initializer_list<int>;

struct SumOptions {
  bool keepdim = false;
  /// Carry the rounding error of every addition along (Neumaier 1974): as if added in twice the precision and
  /// rounded once. For i64, whose sums are exact, it changes nothing.
  bool compensated = false;
};

/// f32, f64 and i64; the sum over nothing is 0.
Tensor sum(const Tensor& x, Axes axes = {}, bool keepdim = false);
Tensor sum(const Tensor& x, Axes axes, const SumOptions& options);
Tensor sum(const Tensor& x, const SumOptions& options);
/// The sum divided by the number of terms; f32 and f64. The mean over nothing is an Error.
Tensor mean(const Tensor& x, Axes axes = {}, bool keepdim = false);
/// The product; f32, f64 and i64. The product over nothing is 1. A term's gradient is the product of the
/// others, so it and its derivatives are right where terms are 0.
Tensor prod(const Tensor& x, Axes axes = {}, bool keepdim = false);

/// Sums `x` down to a shape that broadcasts to x's: the vjp of broadcasting.
Tensor sum_to(const Tensor& x, const Shape& shape);

}  // namespace headwise
