// Reverse mode: from outputs back to the tensors they were computed from.
#pragma once

#include <span>
#include <vector>

#include "headwise/autograd/tensor.h"

namespace headwise {

struct BackwardOptions {
  /// Keep saved values, so that the same graph can run again.
  bool retain_graph = false;
  /// Record the backward pass itself, so that gradients can be differentiated; implies retain_graph. Each
  /// leaf then holds its gradient, which holds the graph, which holds the leaf: none of them is freed before
  /// zero_grad(). grad() makes no such cycle.
  bool create_graph = false;
};

struct GradOptions {
  bool retain_graph = false;
  bool create_graph = false;
  /// Leave the gradient of an input that no output depends on undefined; otherwise that is an Error.
  bool allow_unused = false;
};

/// Adds d loss / d leaf to grad() of every leaf that requires a gradient. `loss` is a scalar (one element).
/// Errors leave every grad() as it was: a loss that needs no gradient, is no scalar, or whose graph was
/// freed.
///
/// Two runs through one graph at the same time are refused; leaves may be shared between graphs that run on
/// different threads only if their gradients are not.
void backward(const Tensor& loss, const BackwardOptions& options = {});
/// The same from any tensor, with the cotangent of its shape and dtype to start from.
void backward(const Tensor& output, const Tensor& cotangent, const BackwardOptions& options = {});

/// The gradients of sum_i <cotangents_i, outputs_i> with respect to `inputs`, in their shapes; touches no
/// grad(). Without create_graph each result has memory of its own. Empty `cotangents` stand for 1, and the
/// outputs must then be scalars.
std::vector<Tensor> grad(std::span<const Tensor> outputs, std::span<const Tensor> inputs,
                         std::span<const Tensor> cotangents = {}, const GradOptions& options = {});
/// The same for one scalar output.
std::vector<Tensor> grad(const Tensor& output, std::initializer_list<Tensor> inputs,
                         const GradOptions& options = {});

}  // namespace headwise
