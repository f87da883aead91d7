// Elements that share memory, within an input or between two.
#pragma once

#include <string>
#include <vector>

#include "headwise/autograd/tensor.h"

namespace headwise::checking {

/// In words, how elements of inputs[i] share memory with each other or with other inputs; empty when they do
/// not.
std::string shared_memory(const std::vector<Tensor>& inputs, size_t i, const std::vector<std::string>& names);

}  // namespace headwise::checking
