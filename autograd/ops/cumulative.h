// Running sums along an axis.
#pragma once

#include "headwise/autograd/tensor.h"

namespace headwise {

struct CumsumOptions {
  /// Start at the end of the axis: y_i is the sum of x_i and all after it.
  bool reverse = false;
};

/// y_i = x_0 + .. + x_i along an axis, which may be empty; f32, f64 and i64. Sums of f32 are carried in f64,
/// so that long ones do not stick.
Tensor cumsum(const Tensor& x, int axis, const CumsumOptions& options = {});

}  // namespace headwise
