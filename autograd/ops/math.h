// Elementwise functions of one tensor; f32 and f64. Shapes are kept.
//
// Where a local derivative is not finite (log and sqrt at 0, an overflowed exp) and the cotangent is 0, the
// gradient is 0.
#pragma once

#include "headwise/autograd/tensor.h"

namespace headwise {

Tensor exp(const Tensor& x);
Tensor log(const Tensor& x);
Tensor sqrt(const Tensor& x);
Tensor tanh(const Tensor& x);
/// 2 / sqrt(pi) times the integral of e^(-t^2) from 0 to x.
Tensor erf(const Tensor& x);
/// max(x, 0); the gradient at 0 is 0.
Tensor relu(const Tensor& x);
/// x Phi(x), Phi the standard normal distribution function, exact by erf (Hendrycks and Gimpel 2016).
Tensor gelu(const Tensor& x);

}  // namespace headwise
