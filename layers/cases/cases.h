// The table of layers: each layer with the functions and inputs that its gradients are checked on, by the
// tests and by `headwise gradcheck`. The rows of a layer are in the file of its name.
#pragma once

#include <memory>

#include "headwise/autograd/gradcheck.h"
#include "headwise/layers/module.h"

namespace headwise::cases {

/// A function of f64 inputs that calls one layer, whose parameters are checked beside the inputs.
struct LayerCase {
  std::string layer;  // the name of its class
  std::string what;
  std::shared_ptr<Module> module;
  TensorFunction function;
  std::vector<Tensor> inputs;
};

/// Another seed draws other inputs and parameters for the same rows.
std::vector<LayerCase> layer_cases(uint64_t seed = 1);

}  // namespace headwise::cases
