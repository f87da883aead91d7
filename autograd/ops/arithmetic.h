// Elementwise arithmetic with NumPy broadcasting. Operands share a dtype; a literal takes that of the tensor.
//
// A cotangent of 0 gives a gradient of 0, whatever the operands are: see docs/singular_points.md.
#pragma once

#include "headwise/autograd/tensor.h"

namespace headwise {

/// Shapes broadcast; f32, f64 and i64. Error when dtypes differ or shapes clash.
Tensor operator+(const Tensor& a, const Tensor& b);
Tensor operator-(const Tensor& a, const Tensor& b);
Tensor operator*(const Tensor& a, const Tensor& b);
/// a / b for f32 and f64.
Tensor operator/(const Tensor& a, const Tensor& b);
Tensor operator-(const Tensor& x);

Tensor operator+(const Tensor& a, double b);
Tensor operator-(const Tensor& a, double b);
Tensor operator*(const Tensor& a, double b);
Tensor operator/(const Tensor& a, double b);
Tensor operator+(double a, const Tensor& b);
Tensor operator-(double a, const Tensor& b);
Tensor operator*(double a, const Tensor& b);
Tensor operator/(double a, const Tensor& b);

/// a * b, except that an a of 0 makes it 0 whatever b is: the product of a cotangent a and a local derivative
/// b, by which a branch that `where` did not take never poisons the one it took. A b of 0 hides nothing.
Tensor zero_safe_mul(const Tensor& a, const Tensor& b);

}  // namespace headwise
