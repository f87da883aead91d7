#include "headwise/layers/linear.h"

#include <cmath>

#include "headwise/autograd/ops/matmul.h"
#include "headwise/layers/init.h"

namespace headwise {

Linear::Linear(const LinearOptions& options, Rng& rng) {
  require(options.in > 0 && options.out > 0, "Linear: in and out must be positive, got in = {} and out = {}",
          options.in, options.out);
  const double bound = 1 / std::sqrt(static_cast<double>(options.in));
  weight = parameter(uniform({options.out, options.in}, bound, rng));
  if (options.bias) bias = parameter(uniform({options.out}, bound, rng));
}

Tensor Linear::forward(const Tensor& x) const {
  require(x.defined(), "Linear: the input is undefined");
  require(weight.defined(), "Linear: the weight is undefined");
  return output_(linear(x, weight, bias));
}

void Linear::members(Members& m) {
  m.parameter("weight", weight);
  m.parameter("bias", bias);
  m.point("output", output_);
}

}  // namespace headwise
