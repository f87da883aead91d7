#include "headwise/autograd/node.h"

#include "headwise/autograd/ops/creation.h"
#include "headwise/autograd/record.h"

namespace headwise {
namespace {

thread_local NodeBase* doomed = nullptr;
thread_local bool draining = false;

}  // namespace

// Deleting a node releases its inputs, which may be the last hold on theirs, and so on down the graph: the
// nodes met on the way wait in a list instead of on the stack.
void destroy(NodeBase* node) noexcept {
  node->next_doomed = doomed;
  doomed = node;
  if (draining) return;
  draining = true;
  while (doomed) delete std::exchange(doomed, doomed->next_doomed);
  draining = false;
}

std::span<const Saved> LeafNode::saved() const { return {}; }

const Tensor& Vjp::cotangent(size_t output) const {
  NodeOutput& out = node_.outputs()[output];
  if (!out.cotangent.defined()) out.cotangent = zeros(out.shape, out.dtype);
  return out.cotangent;
}

Tensor Vjp::take_sum(size_t input) {
  const Edge& edge = node_.edges()[input];
  NodeOutput& target = edge.node()->outputs()[edge.output];
  const bool ours = edge.node()->run.load(std::memory_order_relaxed) == run_;
  if (ours && target.cotangent.defined() && target.cotangent.owns_memory_alone())
    return std::move(target.cotangent);
  return zeros(target.shape, target.dtype);
}

Saved::Saved(const Tensor& value, int own_output) : own_output_(own_output) {
  if (!value.defined()) return;
  value_ = own_output < 0 ? value : Tensor(value.data(), Edge());
  version_ = value.version();
}

Tensor Saved::restore(Node& node) const {
  if (!value_.defined()) return value_;
  require(value_.version() == version_,
          "{}: a value of shape {} that its backward pass needs was changed in place: it was saved at "
          "version {} and "
          "is now at version {}; clone() it before changing it",
          node.name(), value_.shape(), version_, value_.version());
  if (own_output_ < 0) return value_;
  return Tensor(value_.data(), Edge{Reference<NodeBase>::share(&node), static_cast<uint32_t>(own_output_)});
}

std::vector<const Tensor*> inputs(std::span<const Tensor> tensors) {
  std::vector<const Tensor*> pointers;
  for (const Tensor& tensor : tensors) pointers.push_back(&tensor);
  return pointers;
}

const Tensor& save_if(bool wanted, const Tensor& tensor) {
  static const Tensor undefined;
  return wanted ? tensor : undefined;
}

}  // namespace headwise
