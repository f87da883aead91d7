// Powers, elementwise; f32 and f64. Values are those of C's pow: 0^0 and NaN^0 are 1, a negative base to a
// fraction is NaN.
//
// Gradients at a base of 0: 0^0 sends 0 to base and exponent; the exponent of 0^b gets 0 for b > 0; the base
// gets b 0^(b-1), which is infinite for b between 0 and 1. A negative base sends NaN to an exponent that asks
// for a gradient. Where the cotangent is 0, so are the gradients. Second derivatives by base and exponent
// together are right at a base of 0 for exponents above 1; below, where some are infinite, they are not.
#pragma once

#include "headwise/autograd/tensor.h"

namespace headwise {

/// base^exponent; shapes broadcast.
Tensor pow(const Tensor& base, const Tensor& exponent);
Tensor pow(const Tensor& base, double exponent);
Tensor pow(double base, const Tensor& exponent);

}  // namespace headwise
