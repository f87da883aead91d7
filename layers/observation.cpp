#include "headwise/layers/observation.h"

#include "headwise/autograd/grad_mode.h"
#include "headwise/autograd/ops/views.h"

namespace headwise {

ObservationPoint::Observers& ObservationPoint::observers(const std::string& name) {
  if (!observers_) observers_ = std::make_unique<Observers>();
  observers_->name = name;
  return *observers_;
}

HookHandle ObservationPoint::on_forward(const std::string& name, TensorHook hook) {
  return observers(name).forward.add(std::move(hook));
}

HookHandle ObservationPoint::on_backward(const std::string& name, TensorHook hook) {
  return observers(name).backward.add(std::move(hook));
}

// The cotangent of a node of the point's own is that of this pass through the point, whatever else the tensor
// is used for.
Tensor ObservationPoint::observe(Tensor value) const {
  value = observers_->forward.run(observers_->name.c_str(), std::move(value));
  if (observers_->backward.empty() || !grad_enabled() || !value.requires_grad()) return value;
  value = identity(value);
  cotangent_hooks(value).add_all(observers_->backward);
  return value;
}

}  // namespace headwise
