// The largest and smallest elements. amax and amin give tied terms an even share of the gradient; max and min
// along one axis name an index and give it all. Axes are as in reduce.h; f32, f64 and i64.
//
// A NaN is both the largest and the smallest of its terms, and ties with NaN. An extreme over nothing is an
// Error.
#pragma once

#include "headwise/autograd/ops/indexed.h"
#include "headwise/autograd/ops/reduce.h"

namespace headwise {

/// The largest term; terms that tie for it share the gradient evenly.
Tensor amax(const Tensor& x, Axes axes = {}, bool keepdim = false);
/// The smallest term, by the same rule.
Tensor amin(const Tensor& x, Axes axes = {}, bool keepdim = false);

/// The largest terms along one axis and their indices: the first of those that tie, which receives the whole
/// gradient.
Indexed max(const Tensor& x, int axis, bool keepdim = false);
/// The smallest terms, by the same rule.
Indexed min(const Tensor& x, int axis, bool keepdim = false);

/// The index (i64) of the first of the largest terms along one axis; carries no gradient.
Tensor argmax(const Tensor& x, int axis, bool keepdim = false);
/// The index of the first of the smallest.
Tensor argmin(const Tensor& x, int axis, bool keepdim = false);

}  // namespace headwise
