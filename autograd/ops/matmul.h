// Matrix products. An element's bits depend on its row and its column alone (see kernels/matmul.h). Products
// and their gradients are sums by IEEE arithmetic: an element that is not finite reaches every sum that it is
// a term of, even where the cotangent is 0.
#pragma once

#include "headwise/autograd/tensor.h"

namespace headwise {

/// (..., M, K) x (..., K, N) -> (..., M, N); leading axes broadcast; f32 and f64. Reads strided views, such
/// as split heads, without a copy. Error when ranks are below 2, inner sizes differ or dtypes differ.
Tensor matmul(const Tensor& a, const Tensor& b);

/// y = x W^T + b: x (..., in), weight (out, in), bias (out) or undefined -> (..., out).
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias = {});

}  // namespace headwise
