#include "headwise/layers/layer_norm.h"

#include "headwise/autograd/ops/creation.h"
#include "headwise/autograd/ops/norm.h"

namespace headwise {

LayerNorm::LayerNorm(const LayerNormOptions& options) : epsilon_(options.epsilon) {
  require(options.width > 0, "LayerNorm: width must be positive, got {}", options.width);
  require(options.epsilon >= 0, "LayerNorm: epsilon must not be negative, got {}", options.epsilon);
  weight = parameter(ones({options.width}));
  bias = parameter(zeros({options.width}));
}

Tensor LayerNorm::forward(const Tensor& x) const {
  require(x.defined(), "LayerNorm: the input is undefined");
  return output_(layer_norm(x, weight, bias, epsilon_));
}

void LayerNorm::members(Members& m) {
  m.parameter("weight", weight);
  m.parameter("bias", bias);
  m.point("output", output_);
}

}  // namespace headwise
