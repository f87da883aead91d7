// Elementwise arithmetic with NumPy broadcasting. Operands share a dtype; a literal takes that of the tensor.
#pragma once

#include "headwise/autograd/tensor.h"

namespace headwise {

/// Shapes broadcast; f32, f64 and i64. Error when dtypes differ or shapes clash.
Tensor operator+(const Tensor& a, const Tensor& b);
Tensor operator-(const Tensor& a, const Tensor& b);
Tensor operator*(const Tensor& a, const Tensor& b);
/// a / b for f32 and f64. Where b is 0 and the cotangent is 0, so are the gradients.
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

/// a * b, except that 0 times a non-finite number is 0: the product of a cotangent and a local derivative, by
/// which a branch that `where` did not take never poisons the one it took.
Tensor zero_safe_mul(const Tensor& a, const Tensor& b);

}  // namespace headwise
