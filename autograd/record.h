// How an op enters the graph. An op computes its result from plain memory and then says
//
//   return record("tanh", y, inputs(x), saves(y), [](Vjp& v, const Tensor& y) {
//     v.give(0, v.cotangent() * (1.0 - y * y));
//   });
//
// that is: its name, its result, what it was computed from, the values its vjp reads, and the vjp, which
// receives exactly those values in that order. When nothing needs a gradient the result comes back untouched
// and nothing is kept. A vjp is written in tensor ops, so that it can be recorded and differentiated again.
#pragma once

#include <array>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "headwise/autograd/anomaly.h"
#include "headwise/autograd/grad_mode.h"
#include "headwise/autograd/node.h"
#include "headwise/autograd/op_names.h"

namespace headwise {

/// A tensor kept for a vjp, with the version its memory had. An output of the node itself is kept without its
/// edge, since holding it would be a cycle, and gets the edge back when it is read.
class Saved {
 public:
  Saved() = default;
  Saved(const Tensor& value, int own_output);
  /// Error when the memory was changed in place since, naming `op`, both versions and the remedy.
  Tensor restore(Node& node) const;
  const Tensor& value() const { return value_; }

 private:
  Tensor value_;
  uint32_t version_ = 0;
  int own_output_ = -1;
};

template <class... Tensors>
std::array<const Tensor*, sizeof...(Tensors)> inputs(const Tensors&... tensors) {
  return {&tensors...};
}
std::vector<const Tensor*> inputs(std::span<const Tensor> tensors);

template <class... Tensors>
std::array<const Tensor*, sizeof...(Tensors)> saves(const Tensors&... tensors) {
  return {&tensors...};
}

/// `tensor`, or an undefined one: keeps a value only where some gradient will read it.
const Tensor& save_if(bool wanted, const Tensor& tensor);

/// True when a cotangent for one of the inputs has somewhere to go.
template <class Inputs>
bool any_requires_grad(const Inputs& inputs) {
  for (const Tensor* input : inputs)
    if (input->defined() && input->requires_grad()) return true;
  return false;
}

/// True when, besides, recording is on.
template <class Inputs>
bool needs_recording(const Inputs& inputs) {
  return grad_enabled() && any_requires_grad(inputs);
}

template <class Edges, size_t output_count, size_t saved_count, class F>
class OpNode final : public Node {
 public:
  OpNode(const char* name, Edges edges, F vjp)
      : name_(name), edges_(std::move(edges)), vjp_(std::move(vjp)) {}

  const char* name() const override { return name_; }
  std::span<Edge> edges() override { return edges_; }
  std::span<NodeOutput> outputs() override { return outputs_; }
  void free_saved() override {
    if constexpr (saved_count > 0) {
      saved_.fill(Saved());
      freed_ = true;
    }
  }
  bool freed() const override { return freed_; }
  std::span<const Saved> saved() const override { return saved_; }
  void vjp(Vjp& call) override {
    [&]<size_t... i>(std::index_sequence<i...>) { vjp_(call, saved_[i].restore(*this)...); }
    (std::make_index_sequence<saved_count>());
  }

  std::array<NodeOutput, output_count> outputs_;
  std::array<Saved, saved_count> saved_;

 private:
  const char* name_;
  Edges edges_;
  F vjp_;
  bool freed_ = false;
};

/// Attaches results to the graph; records the op only when some input requires a gradient. Inside
/// DetectAnomaly the results are checked first, recorded or not.
template <size_t outputs, class Inputs, size_t saved, class F>
void record_all(OpName name, const std::array<Tensor*, outputs>& results, const Inputs& inputs,
                const std::array<const Tensor*, saved>& saves, F vjp) {
  const uint8_t mode = op_mode::current();
  if (mode != op_mode::recording) {
    if (mode & op_mode::watched) [[unlikely]]
      anomaly::check_op(name.text, results, inputs);
    if (!(mode & op_mode::recording)) return;
  }
  if (!any_requires_grad(inputs)) return;
  uint64_t depth = 0;
  auto edge_of = [&depth](const Tensor* input) {
    Edge edge = input->defined() ? input->edge() : Edge();
    if (edge) depth = std::max(depth, edge.node()->depth + 1);
    return edge;
  };
  auto edges = [&] {
    if constexpr (requires { std::tuple_size<Inputs>::value; }) {
      return [&]<size_t... i>(std::index_sequence<i...>) {
        return std::array<Edge, sizeof...(i)>{edge_of(inputs[i])...};
      }
      (std::make_index_sequence<std::tuple_size_v<Inputs>>());
    } else {
      std::vector<Edge, pool::Allocator<Edge>> list;
      list.reserve(inputs.size());
      for (const Tensor* input : inputs) list.push_back(edge_of(input));
      return list;
    }
  }();
  auto* node = new OpNode<decltype(edges), outputs, saved, F>(name.text, std::move(edges), std::move(vjp));
  auto holder = Reference<NodeBase>::adopt(node);
  node->depth = depth;
  for (size_t i = 0; i < saved; ++i) {
    int own_output = -1;
    for (size_t j = 0; j < outputs; ++j)
      if (saves[i] == results[j]) own_output = static_cast<int>(j);
    node->saved_[i] = Saved(*saves[i], own_output);
  }
  auto attach = [&](size_t i, Reference<NodeBase> hold) {
    if (!results[i]->defined()) return;
    node->outputs_[i].shape = results[i]->shape();
    node->outputs_[i].dtype = results[i]->dtype();
    results[i]->attach(Edge{std::move(hold), static_cast<uint32_t>(i)});
  };
  for (size_t i = 1; i < outputs; ++i) attach(i, holder);
  attach(0, std::move(holder));
}

/// The same for the usual case of one result.
template <class Inputs, size_t saved, class F>
Tensor record(OpName name, Tensor& result, const Inputs& inputs,
              const std::array<const Tensor*, saved>& saves, F vjp) {
  record_all<1>(name, {&result}, inputs, saves, std::move(vjp));
  return std::move(result);
}

}  // namespace headwise
