// The table of ops, and inputs drawn from a seed each.
#pragma once

#include "headwise/autograd/cases/cases.h"
#include "headwise/autograd/cases/inputs.h"
#include "tests/support/tensors.h"

namespace headwise::testing {

using cases::Args;
using cases::integers;
using cases::mask;
using cases::op_cases;
using cases::OpCase;

inline Tensor normal(const Shape& shape, uint64_t seed) {
  Rng rng(seed, 17);
  return cases::normal(shape, rng);
}

}  // namespace headwise::testing
