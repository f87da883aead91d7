// The identity, and the views whose arguments are known at run time only. The others are methods of Tensor.
#pragma once

#include <span>

#include "headwise/autograd/tensor.h"

namespace headwise {

/// Tensor::permute for a list of axes that is made at run time.
Tensor permute(const Tensor& x, std::span<const int> axes);

/// The same values as a place of its own in the graph: differentiating with respect to it does not reach
/// through to what x was computed from.
Tensor identity(const Tensor& x);

}  // namespace headwise
