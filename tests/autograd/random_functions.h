// Functions of random shapes, axes and values, one family of ops after the other, away from kinks.
#pragma once

#include "tests/autograd/op_inputs.h"

namespace headwise::testing {

struct RandomFunction {
  std::string what;
  TensorFunction function;
  Args inputs;
};

/// Function number `seed`; neighbouring numbers are of different families.
RandomFunction random_function(uint64_t seed);

}  // namespace headwise::testing
