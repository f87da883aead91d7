#include "headwise/layers/observation.h"

#include "headwise/autograd/grad_mode.h"
#include "headwise/autograd/ops/views.h"

namespace headwise {

ObservationPoint::Observers& ObservationPoint::observers() {
  if (!observers_) observers_ = std::make_unique<Observers>();
  return *observers_;
}

HookHandle ObservationPoint::on_forward(const std::string& name, TensorHook hook) {
  return observers().forward.add(std::move(hook), name);
}

HookHandle ObservationPoint::on_backward(const std::string& name, TensorHook hook) {
  return observers().backward.add(std::move(hook), name);
}

// The cotangent of a node of the point's own is that of this pass through the point, whatever else the tensor
// is used for.
Tensor ObservationPoint::observe(Tensor value) const {
  value = observers_->forward.run("observation point", std::move(value));
  if (observers_->backward.empty() || !grad_enabled() || !value.requires_grad()) return value;
  value = identity(value);
  cotangent_hooks(value).add_all(observers_->backward);
  return value;
}

}  // namespace headwise
