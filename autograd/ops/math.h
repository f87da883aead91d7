// Elementwise functions of one tensor; f32 and f64 unless said otherwise. Shapes are kept.
//
// A cotangent of 0 gives a gradient of 0, also where the local derivative is not finite (log and sqrt at 0,
// an overflowed exp, NaN).
#pragma once

#include "headwise/autograd/tensor.h"

namespace headwise {

Tensor exp(const Tensor& x);
Tensor log(const Tensor& x);
Tensor sqrt(const Tensor& x);
/// x x; also i64. Half the backward work of x * x.
Tensor square(const Tensor& x);
/// |x|; also i64. The gradient at 0 is 0.
Tensor abs(const Tensor& x);
/// -1, 0 or 1, NaN for NaN; also i64. Carries no gradient.
Tensor sign(const Tensor& x);
/// Of x in radians; NaN at infinity.
Tensor sin(const Tensor& x);
Tensor cos(const Tensor& x);
Tensor tanh(const Tensor& x);
/// 2 / sqrt(pi) times the integral of e^(-t^2) from 0 to x.
Tensor erf(const Tensor& x);

}  // namespace headwise
