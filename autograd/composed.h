// The vjp of a fused op while the backward pass is itself being recorded.
#pragma once

#include "headwise/autograd/backward.h"
#include "headwise/autograd/ops/views.h"
#include "headwise/autograd/record.h"

namespace headwise {

/// Differentiates `reference`, the op written in plain tensor ops, at `values`, and gives the gradients of
/// the op's first inputs in order. An undefined value stays undefined. Identities keep a value that was
/// computed from another from leaking its gradient into that one.
template <class Reference, size_t count>
void give_composed(Vjp& v, const std::array<Tensor, count>& values, Reference&& reference,
                   size_t outputs = 1) {
  std::array<Tensor, count> places;
  std::vector<Tensor> wanted;
  std::vector<size_t> positions;
  for (size_t i = 0; i < count; ++i) {
    if (!values[i].defined()) continue;
    places[i] = identity(values[i]);
    if (!v.needs(i)) continue;
    wanted.push_back(places[i]);
    positions.push_back(i);
  }
  const std::vector<Tensor> results = reference(places);
  std::vector<Tensor> reached, cotangents;
  for (size_t i = 0; i < outputs; ++i) {
    if (!v.has_cotangent(i) || !results[i].requires_grad()) continue;
    reached.push_back(results[i]);
    cotangents.push_back(v.cotangent(i));
  }
  const auto gradients = grad(reached, wanted, cotangents, {.create_graph = true, .allow_unused = true});
  for (size_t i = 0; i < positions.size(); ++i) v.give(positions[i], gradients[i]);
}

}  // namespace headwise
