// The graph behind a tensor as a Graphviz drawing: `dot -Tsvg loss.dot > loss.svg`.
//
//   write_dot(loss, "loss.dot", model.named_parameters());
//
// A node per op, labelled with its name and the shape and dtype of its result, and a box per leaf, labelled
// with its name or else its shape; an edge from each input to the op that read it. Tensors that require no
// gradient are not part of the graph and not drawn, but for `x` itself. Nodes are numbered from the result
// backwards, nearest first, so that equal graphs give equal text.
#pragma once

#include <filesystem>
#include <string>

#include "headwise/autograd/named_tensor.h"

namespace headwise {

/// The drawing as text. A leaf that carries several of the `names` shows them all. Error for an undefined
/// tensor.
std::string to_dot(const Tensor& x, const NamedTensors& names = {});

/// Writes it to a file; Error names the path when that fails.
void write_dot(const Tensor& x, const std::filesystem::path& path, const NamedTensors& names = {});

}  // namespace headwise
