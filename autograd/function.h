// Ops of the user's own, treated as built-in ones are.
//
//   const Function cube{
//       .name = "cube",
//       .forward = [](const auto& in) { return FunctionForward{{in[0] * in[0] * in[0]}, {in[0]}}; },
//       .vjp = [](const FunctionVjp& v) {
//         const Tensor& x = v.saved[0];
//         return std::vector{v.cotangents[0] * 3.0 * x * x};
//       }};
//   const Tensor y = cube({x});
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "headwise/autograd/tensor.h"

namespace headwise {

/// What a forward returns.
struct FunctionForward {
  std::vector<Tensor> outputs;
  /// What the vjp reads: inputs, outputs, or values worked out on the way. They are checked, when read,
  /// against in-place changes. To second derivatives inputs and outputs are what they were computed from, and
  /// other values are constants, whatever they were computed from.
  std::vector<Tensor> saved = {};
};

/// What a vjp is given, to read: a change in place is an Error, since others may share the memory.
struct FunctionVjp {
  std::vector<Tensor> saved;
  /// One per output, in its shape; zeros where nothing arrived, undefined for outputs that are not floating.
  std::vector<Tensor> cotangents;
  /// One per input: whether its gradient is wanted. Others may be left undefined.
  std::vector<bool> needed;
};

struct Function {
  /// Stands in errors, drawings and DetectAnomaly.
  std::string name;
  /// Outputs from inputs, which it must not change; not recorded. An undefined input is passed on as it is.
  /// An output may be an input, or share its memory: it comes back as a view of it.
  std::function<FunctionForward(const std::vector<Tensor>& inputs)> forward;
  /// One gradient per input, in its shape and dtype; undefined stands for zero. Written in tensor ops it has
  /// derivatives of its own.
  std::function<std::vector<Tensor>(const FunctionVjp& call)> vjp;
  /// The vjp is not written in tensor ops: create_graph is an Error instead of silently wrong.
  bool once_differentiable = false;

  /// All outputs. Those of a floating dtype require a gradient when recording is on and some input does.
  /// Errors name the function: a forward or vjp that is missing, a forward that returns nothing or something
  /// undefined or changes an input, and, in backward, too few or many gradients, one of another shape or
  /// dtype than its input, and a vjp that changes what it was given.
  std::vector<Tensor> apply(const std::vector<Tensor>& inputs) const;
  /// The output of a function that has one.
  Tensor operator()(const std::vector<Tensor>& inputs) const;
};

}  // namespace headwise
