// Tensors with names: what a module hands to an optimiser, a file or a report.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "headwise/autograd/tensor.h"

namespace headwise {

using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

}  // namespace headwise
