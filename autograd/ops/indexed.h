// The result of ops that pick elements along an axis.
#pragma once

#include "headwise/autograd/tensor.h"

namespace headwise {

struct Indexed {
  Tensor values;
  Tensor indices;  // i64, of the shape of values: where along the axis each was
};

}  // namespace headwise
