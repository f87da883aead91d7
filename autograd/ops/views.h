// Joining tensors, and the identity. The views themselves are methods of Tensor.
#pragma once

#include <initializer_list>
#include <span>

#include "headwise/autograd/tensor.h"

namespace headwise {

/// Tensors joined along an axis; they agree in dtype and in all other sizes.
Tensor cat(std::span<const Tensor> tensors, int axis);
Tensor cat(std::initializer_list<Tensor> tensors, int axis);

/// The same values as a place of its own in the graph: differentiating with respect to it does not reach
/// through to what x was computed from.
Tensor identity(const Tensor& x);

}  // namespace headwise
