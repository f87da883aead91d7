#include "headwise/autograd/hooks.h"

#include <algorithm>

#include "headwise/autograd/grad_mode.h"
#include "headwise/autograd/node.h"

namespace headwise {

HookHandle HookList::add(TensorHook hook, std::string place) {
  std::erase_if(hooks_, [](const auto& known) { return known.expired(); });
  const auto placed = std::make_shared<const Placed>(Placed{std::move(hook), std::move(place)});
  hooks_.push_back(placed);
  return HookHandle({placed, &placed->hook});
}

void HookList::add_all(const HookList& others) {
  hooks_.insert(hooks_.end(), others.hooks_.begin(), others.hooks_.end());
}

bool HookList::empty() const {
  return std::all_of(hooks_.begin(), hooks_.end(), [](const auto& hook) { return hook.expired(); });
}

Tensor HookList::run(const char* place, Tensor value) const {
  const auto present = hooks_;
  for (const auto& entry : present) {
    const auto placed = entry.lock();
    if (!placed) continue;
    Tensor replacement = placed->hook(value);
    if (!replacement.defined()) continue;
    require(
        replacement.shape() == value.shape() && replacement.dtype() == value.dtype(),
        "{}: a hook was given a tensor of shape {} and dtype {} and returned one of shape {} and dtype {}; "
        "a replacement must have the same shape and dtype",
        placed->place.empty() ? place : placed->place.c_str(), value.shape(), value.dtype(),
        replacement.shape(), replacement.dtype());
    value = std::move(replacement);
  }
  return value;
}

struct NodeHooks {
  std::vector<HookList> of_output;
};

void DeleteNodeHooks::operator()(NodeHooks* hooks) const noexcept { delete hooks; }

HookList& cotangent_hooks(const Tensor& x) {
  const Edge edge = x.edge();
  Node& node = *edge.node();
  if (!node.hooks) node.hooks.reset(new NodeHooks{std::vector<HookList>(node.outputs().size())});
  return node.hooks->of_output[edge.output];
}

HookHandle on_cotangent(const Tensor& x, TensorHook hook) {
  require(x.defined(), "on_cotangent: the tensor is undefined");
  require(x.requires_grad(),
          "on_cotangent: a tensor of shape {} that requires no gradient has no cotangent; call "
          "set_requires_grad(true) on a leaf first, and record what is computed from it",
          x.shape());
  return cotangent_hooks(x).add(std::move(hook));
}

void run_hooks(Node& node) {
  const auto outputs = node.outputs();
  for (size_t i = 0; i < outputs.size(); ++i) {
    Tensor& cotangent = outputs[i].cotangent;
    if (!cotangent.defined()) continue;
    cotangent = node.hooks->of_output[i].run(node.name(), std::move(cotangent));
    // A pass that is not recorded hands on values alone.
    if (!grad_enabled() && cotangent.requires_grad()) cotangent = cotangent.detach();
  }
}

}  // namespace headwise
