// Softmax, log-softmax and logsumexp along an axis; f32 and f64. All subtract the row's maximum first.
#pragma once

#include "headwise/autograd/tensor.h"

namespace headwise {

/// e^x / sum e^x. A row of -infinity gives zeros and passes no gradient; a NaN or +infinity makes its row
/// NaN.
Tensor softmax(const Tensor& x, int axis);
/// x - logsumexp(x). A row of -infinity gives NaN.
Tensor log_softmax(const Tensor& x, int axis);
/// ln sum e^x. A row of -infinity gives -infinity and passes no gradient; +infinity gives +infinity.
Tensor logsumexp(const Tensor& x, int axis, bool keepdim = false);

}  // namespace headwise
