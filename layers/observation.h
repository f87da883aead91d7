// Named points of a layer at which its tensors can be seen and replaced without changing the model.
//
//   const HookHandle handle = model.on_forward("encoder.attention.weights",
//                                              [](const Tensor& weights) { return ablate(weights); });
#pragma once

#include <memory>
#include <string>

#include "headwise/autograd/hooks.h"

namespace headwise {

/// A member of a module that its forward leads a tensor through, `return output_(linear(x, weight))`, and
/// that members() lists, `m.point("output", output_)`. Copies of a module start unobserved.
class ObservationPoint {
 public:
  ObservationPoint() = default;
  ObservationPoint(const ObservationPoint&) {}
  ObservationPoint(ObservationPoint&&) noexcept = default;
  ObservationPoint& operator=(const ObservationPoint&) { return *this; }
  ObservationPoint& operator=(ObservationPoint&&) noexcept = default;
  ~ObservationPoint() = default;

  /// What the forward hooks make of `value`, with the backward hooks on its cotangent: `value` itself, at no
  /// cost, when there are none.
  Tensor operator()(Tensor value) const { return observers_ ? observe(std::move(value)) : value; }
  bool observed() const {
    return observers_ && !(observers_->forward.empty() && observers_->backward.empty());
  }

  /// `name` stands in the errors of the hooks. See Module.
  HookHandle on_forward(const std::string& name, TensorHook hook);
  HookHandle on_backward(const std::string& name, TensorHook hook);

 private:
  struct Observers {
    HookList forward, backward;
  };
  Observers& observers();
  Tensor observe(Tensor value) const;

  std::unique_ptr<Observers> observers_;
};

}  // namespace headwise
