// Gradients that are wrong on purpose.
#pragma once

#include "headwise/autograd/ops/arithmetic.h"

namespace headwise::testing {

/// The value of one function with the gradient of another.
inline Tensor planted(const Tensor& value, const Tensor& gradient) {
  return value.detach() + (gradient - gradient.detach());
}

}  // namespace headwise::testing
