// Activation functions, elementwise; f32 and f64. Shapes are kept. Nothing overflows on the way: large
// arguments of either sign give the limits of values and gradients.
#pragma once

#include "headwise/autograd/tensor.h"

namespace headwise {

/// max(x, 0); the gradient at 0 is 0, where maximum(x, 0) gives 0.5.
Tensor relu(const Tensor& x);

/// How gelu computes the normal distribution function.
enum class Gelu { exact, tanh };

/// x Phi(x), Phi the standard normal distribution function (Hendrycks and Gimpel 2016): exact by erf, or
/// their approximation x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2.
Tensor gelu(const Tensor& x, Gelu form = Gelu::exact);

/// 1 / (1 + e^-x)
Tensor sigmoid(const Tensor& x);
/// ln sigmoid(x), with all its digits where sigmoid(x) is 0: about x for x << 0.
Tensor logsigmoid(const Tensor& x);
/// x sigmoid(x)
Tensor silu(const Tensor& x);
/// ln(1 + e^x): about x for x >> 0.
Tensor softplus(const Tensor& x);

}  // namespace headwise
