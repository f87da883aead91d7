// Dropout (Srivastava et al. 2014), scaled in training so that evaluation needs no change.
#pragma once

#include "headwise/autograd/rng.h"
#include "headwise/autograd/tensor.h"

namespace headwise {

/// Sets each element to 0 with probability p and multiplies the others by 1 / (1 - p). The mask depends on
/// the generator's state alone. p = 0 returns x itself, p = 1 zeros. Error unless 0 <= p <= 1.
Tensor dropout(const Tensor& x, double p, Rng& rng);

/// Throws unless 0 <= p <= 1, naming p.
void require_probability(const char* op, double p);

}  // namespace headwise
