// The graph: a node per recorded op, held by the tensors that need it. No tape, nothing global.
//
// A node knows where cotangents of its inputs go (edges), the shape and dtype of its outputs, and how to turn
// cotangents of its outputs into cotangents of its inputs (vjp). Its depth is one more than that of its
// deepest input, so that visiting nodes by falling depth meets each after all its users: backward needs no
// count of users, and reaches the leaves (depth 0) last, after everything that could fail.
#pragma once

#include <memory>
#include <span>

#include "headwise/autograd/tensor.h"

namespace headwise {

class Saved;
class Vjp;

/// Hooks on the cotangents of a node's outputs; see hooks.h.
struct NodeHooks;
struct DeleteNodeHooks {
  void operator()(NodeHooks* hooks) const noexcept;
};

/// One result of a node. The cotangent is the running sum that backward collects before it visits the node.
struct NodeOutput {
  Shape shape;
  DType dtype = f32;
  Tensor cotangent;
};

class Node : public NodeBase {
 public:
  virtual const char* name() const = 0;
  virtual std::span<Edge> edges() = 0;
  virtual std::span<NodeOutput> outputs() = 0;
  virtual void vjp(Vjp& call) = 0;
  /// What was saved for vjp.
  virtual std::span<const Saved> saved() const = 0;
  /// Frees what was saved for vjp; a node that had saved anything cannot run again.
  virtual void free_saved() = 0;
  virtual bool freed() const = 0;
  virtual bool is_leaf() const { return false; }

  uint64_t depth = 0;

  /// The backward run that is collecting cotangents here, 0 for none.
  std::atomic<uint64_t> run{0};

  /// Null for all but the few nodes that have hooks.
  std::unique_ptr<NodeHooks, DeleteNodeHooks> hooks;

  static void* operator new(size_t bytes) { return pool::allocate_node(bytes); }
  static void operator delete(void* block, size_t bytes) noexcept { pool::deallocate_node(block, bytes); }
};

/// Lets the hooks of a node that has any see the cotangents it has collected.
void run_hooks(Node& node);

inline Node* Edge::node() const { return static_cast<Node*>(holder.get()); }

/// The end of the graph at a tensor that asked for a gradient; owns that gradient.
class LeafNode final : public Node {
 public:
  LeafNode(const Shape& shape, DType dtype) : output_{shape, dtype, {}} {}

  const char* name() const override { return "leaf"; }
  std::span<Edge> edges() override { return {}; }
  std::span<NodeOutput> outputs() override { return {&output_, 1}; }
  void vjp(Vjp&) override {}
  std::span<const Saved> saved() const override;
  void free_saved() override {}
  bool freed() const override { return false; }
  bool is_leaf() const override { return true; }

  Tensor gradient;

 private:
  NodeOutput output_;
};

/// What a node's vjp sees of one backward run.
class Vjp {
 public:
  Vjp(Node& node, uint64_t run, std::span<const bool> needed, std::span<Tensor> gradients)
      : node_(node), run_(run), needed_(needed), gradients_(gradients) {}

  /// The cotangent of an output, in that output's shape; zeros when nothing arrived. Lives as long as this
  /// call of the vjp.
  const Tensor& cotangent(size_t output = 0) const;
  bool has_cotangent(size_t output) const { return node_.outputs()[output].cotangent.defined(); }
  /// The shape of an input that requires a gradient, which is the shape its gradient must have.
  const Shape& input_shape(size_t input) const {
    const Edge& edge = node_.edges()[input];
    return edge.node()->outputs()[edge.output].shape;
  }
  /// Whether the gradient of an input is wanted: computing it otherwise is wasted.
  bool needs(size_t input) const { return needed_[input]; }
  /// Delivers the gradient of an input, in that input's shape and dtype.
  void give(size_t input, Tensor gradient) { gradients_[input] = std::move(gradient); }
  /// Delivers the gradient of an input that is zero but for a few elements: add(sum) adds those, in place, to
  /// what the input has collected so far. Not while recording, when nothing may be changed in place.
  template <class Add>
  void give_into(size_t input, Add&& add) {
    Tensor sum = take_sum(input);
    add(sum);
    give(input, std::move(sum));
  }

 private:
  /// What an input has collected, taken from it where nobody else sees it, or else zeros.
  Tensor take_sum(size_t input);

  Node& node_;
  uint64_t run_;
  std::span<const bool> needed_;
  std::span<Tensor> gradients_;
};

}  // namespace headwise
