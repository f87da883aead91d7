// Comparisons, and choosing between values by a mask.
#pragma once

#include "headwise/autograd/tensor.h"

namespace headwise {

/// Elementwise comparisons with broadcasting; the result is bool and carries no gradient.
Tensor operator==(const Tensor& a, const Tensor& b);
Tensor operator<(const Tensor& a, const Tensor& b);
Tensor operator<=(const Tensor& a, const Tensor& b);
Tensor operator<=(const Tensor& a, double b);
Tensor operator>(const Tensor& a, double b);
Tensor operator!(const Tensor& mask);

/// a where mask holds, b elsewhere; the three shapes broadcast. Each gets its share of the gradient and exact
/// zeros elsewhere.
Tensor where(const Tensor& mask, const Tensor& a, const Tensor& b);

/// `value` where mask holds, x elsewhere; mask broadcasts to x.
Tensor masked_fill(const Tensor& x, const Tensor& mask, double value);

}  // namespace headwise
