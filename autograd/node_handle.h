// What a tensor needs to know of the graph: that a node can be held.
#pragma once

#include "headwise/autograd/reference.h"

namespace headwise {

class Node;

/// The counted base of Node. Releasing the last hold of a long chain frees it node by node, never
/// recursively.
struct NodeBase : Counted {
  virtual ~NodeBase() = default;
  NodeBase* next_doomed = nullptr;
};
void destroy(NodeBase* node) noexcept;

/// One output of a node: where a cotangent for a tensor is to be delivered. Empty for a constant.
struct Edge {
  Reference<NodeBase> holder;
  uint32_t output = 0;

  inline Node* node() const;  // defined in node.h
  explicit operator bool() const { return static_cast<bool>(holder); }
};

}  // namespace headwise
