// The length of the vectors along axes, which are as in reduce.h; f32 and f64.
#pragma once

#include "headwise/autograd/ops/reduce.h"

namespace headwise {

struct NormOptions {
  bool keepdim = false;
  /// Greater than 0; infinity gives the largest |x|.
  double p = 2;
};

/// (sum of |x|^p)^(1/p). A norm that can be represented does not overflow or underflow on the way. The norm
/// of nothing is 0.
///
/// The gradient is 0 at the zero vector, and so is all that follows from it: where |x|^2 is wanted, sum the
/// squares. For p = 1 and infinity |x| has slope 0 at 0, and for infinity tied terms share the gradient
/// evenly. For other p an element that is 0 has derivatives 0 of all orders (some of which are infinite or
/// undefined where p < 2).
Tensor norm(const Tensor& x, Axes axes = {}, bool keepdim = false);
Tensor norm(const Tensor& x, Axes axes, const NormOptions& options);
Tensor norm(const Tensor& x, const NormOptions& options);

}  // namespace headwise
