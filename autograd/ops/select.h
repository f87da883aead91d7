// Comparisons, masks, and choosing between values by a mask.
#pragma once

#include "headwise/autograd/ops/reduce.h"
#include "headwise/autograd/tensor.h"

namespace headwise {

/// Elementwise comparisons with broadcasting, of one dtype; the result is bool and carries no gradient. A
/// literal takes the dtype of the tensor. Of what involves NaN, != alone holds.
Tensor operator==(const Tensor& a, const Tensor& b);
Tensor operator!=(const Tensor& a, const Tensor& b);
Tensor operator<(const Tensor& a, const Tensor& b);
Tensor operator<=(const Tensor& a, const Tensor& b);
Tensor operator>(const Tensor& a, const Tensor& b);
Tensor operator>=(const Tensor& a, const Tensor& b);
Tensor operator==(const Tensor& a, double b);
Tensor operator!=(const Tensor& a, double b);
Tensor operator<(const Tensor& a, double b);
Tensor operator<=(const Tensor& a, double b);
Tensor operator>(const Tensor& a, double b);
Tensor operator>=(const Tensor& a, double b);

/// Logic of masks, with broadcasting; Error for any dtype but bool.
Tensor operator!(const Tensor& mask);
Tensor logical_and(const Tensor& a, const Tensor& b);
Tensor logical_or(const Tensor& a, const Tensor& b);

/// Whether some, or every, element of a mask holds along the axes given (all axes when none is). Over
/// nothing, any is false and all is true.
Tensor any(const Tensor& mask, Axes axes = {}, bool keepdim = false);
Tensor all(const Tensor& mask, Axes axes = {}, bool keepdim = false);

/// a where mask holds, b elsewhere; the three shapes broadcast. Each gets its share of the gradient and exact
/// zeros elsewhere.
Tensor where(const Tensor& mask, const Tensor& a, const Tensor& b);

/// `value` where mask holds, x elsewhere; mask broadcasts to x.
Tensor masked_fill(const Tensor& x, const Tensor& mask, double value);

}  // namespace headwise
