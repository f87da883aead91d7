// Where did the NaN come from? A scope in which the first op that produces one throws.
//
//   DetectAnomaly guard(model.named_parameters());
#pragma once

#include <span>

#include "headwise/autograd/grad_mode.h"
#include "headwise/autograd/named_tensor.h"

namespace headwise {

class Node;

/// For its lifetime, on this thread, the first op whose result holds a NaN or an infinity throws an Error,
/// forward ("log") or backward ("backward of log"). The message gives shape, range and counts of NaN and
/// infinities of the result and of all that the op read, with the names of `names` for parameters and views
/// of them. Scopes nest, and may end in any order: the names of all that are alive are known.
///
/// Forward, every op of op_names.h and every Function is checked, recorded or not, views excepted; what
/// fills, compares, copies into a tensor or draws numbers is not. What an op does inside is not seen, only
/// what it returns: attention may hide keys behind -infinity, and a vjp may divide by zero where its
/// cotangent is zero. Infinities that somebody asked for are passed over: ops that only move elements or fill
/// in a value (cat, pad, gather, where, masked_fill) may carry them, and any op may have -infinity if some
/// operand held one, at whatever element, as scores behind an additive mask do: an overflow to -infinity
/// beside them goes unseen. A NaN is never passed over.
///
/// Backward, neither a gradient that a vjp gives nor the sum of those that reach a tensor, as its hooks leave
/// it, may hold a NaN or an infinity; no grad() has changed then. Ops in vjps and hooks are not checked one
/// by one.
class DetectAnomaly {
 public:
  explicit DetectAnomaly(NamedTensors names = {});
  ~DetectAnomaly();
  DetectAnomaly(const DetectAnomaly&) = delete;
  DetectAnomaly& operator=(const DetectAnomaly&) = delete;

 private:
  friend struct KnownNames;
  NamedTensors names_;
  DetectAnomaly* outer_;
  bool watched_outside_;
};

// For the engine: each throws when what it looks at is not finite.
namespace anomaly {
/// What an op returned.
void check_results(const char* op, std::span<Tensor* const> results, std::span<const Tensor* const> inputs);
/// The same by value, so that an op that is not watched need not lay its lists out in memory.
template <class Results, class Inputs>
[[gnu::noinline, gnu::cold]] void check_op(const char* op, Results results, Inputs inputs) {
  check_results(op, results, inputs);
}
/// What a vjp gave.
void check_gradients(Node& node, std::span<const Tensor> gradients);
/// What a vjp is about to read, or a leaf to add to its gradient.
void check_cotangents(Node& node);
}  // namespace anomaly

}  // namespace headwise
