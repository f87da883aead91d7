#include "headwise/layers/module.h"

#include <algorithm>

#include "headwise/autograd/grad_mode.h"

namespace headwise {

void Members::parameter(std::string_view name, Tensor& parameter) {
  if (on_parameter_ && parameter.defined()) on_parameter_(fmt::format("{}{}", prefix_, name), parameter);
}

void Members::point(std::string_view name, ObservationPoint& point) {
  if (on_point_) on_point_(fmt::format("{}{}", prefix_, name), point);
}

void Members::child(std::string_view name, Module& module) {
  const size_t length = prefix_.size();
  prefix_ += fmt::format("{}.", name);
  if (on_module_) on_module_(module);
  module.members(*this);
  prefix_.resize(length);
}

void Module::visit(Members::OnParameter on_parameter, Members::OnModule on_module,
                   Members::OnPoint on_point) {
  if (on_module) on_module(*this);
  Members visitor(std::move(on_parameter), std::move(on_module), std::move(on_point));
  members(visitor);
}

NamedTensors Module::named_parameters() {
  NamedTensors parameters;
  visit([&](const std::string& name, Tensor& p) {
    const bool known = std::any_of(parameters.begin(), parameters.end(),
                                   [&](const auto& entry) { return entry.second.data() == p.data(); });
    if (!known) parameters.emplace_back(name, p);
  });
  return parameters;
}

NamedTensors Module::state_dict() {
  NamedTensors state = named_parameters();
  for (auto& entry : state) entry.second = entry.second.detach();
  return state;
}

void Module::load_state_dict(const NamedTensors& state) {
  NamedTensors own = state_dict();
  auto find = [](const NamedTensors& tensors, const std::string& name) {
    return std::find_if(tensors.begin(), tensors.end(),
                        [&](const auto& entry) { return entry.first == name; });
  };
  std::string missing, unknown;
  for (const auto& entry : own)
    if (find(state, entry.first) == state.end()) missing += " " + entry.first;
  for (const auto& entry : state)
    if (find(own, entry.first) == own.end()) unknown += " " + entry.first;
  require(missing.empty() && unknown.empty(), "load_state_dict: missing:{}; unknown:{}",
          missing.empty() ? " none" : missing, unknown.empty() ? " none" : unknown);
  require(own.size() == state.size(), "load_state_dict: {} entries for {} parameters: a name is given twice",
          state.size(), own.size());
  for (const auto& [name, value] : state) {
    const Tensor& target = find(own, name)->second;
    require(value.defined(), "load_state_dict: {} is undefined", name);
    require(value.shape() == target.shape() && value.dtype() == target.dtype(),
            "load_state_dict: {} has shape {} and dtype {}, got {} and {}", name, target.shape(),
            target.dtype(), value.shape(), value.dtype());
  }
  const NoGrad guard;
  for (const auto& [name, value] : state) find(own, name)->second.detach().copy_from(value);
}

int64_t Module::parameter_count() {
  int64_t count = 0;
  for (const auto& entry : named_parameters()) count += entry.second.numel();
  return count;
}

void Module::train(bool training) {
  visit({}, [training](Module& module) { module.training_ = training; });
}

std::vector<std::string> Module::point_names() {
  std::vector<std::string> names;
  visit({}, {}, [&](const std::string& name, ObservationPoint&) { names.push_back(name); });
  return names;
}

ObservationPoint& Module::point(std::string_view wanted) {
  ObservationPoint* found = nullptr;
  visit({}, {}, [&](const std::string& name, ObservationPoint& point) {
    if (name == wanted) found = &point;
  });
  if (!found) fail("there is no observation point {}; there are: {}", wanted, fmt::join(point_names(), ", "));
  return *found;
}

HookHandle Module::on_forward(std::string_view name, TensorHook hook) {
  return point(name).on_forward(std::string(name), std::move(hook));
}

HookHandle Module::on_backward(std::string_view name, TensorHook hook) {
  return point(name).on_backward(std::string(name), std::move(hook));
}

void Module::to(DType dtype) {
  require(is_floating(dtype), "Module::to: parameters must be f32 or f64, got {}", dtype);
  // Shared parameters stay shared.
  std::vector<std::pair<Tensor, Tensor>> converted;
  visit([&](const std::string&, Tensor& p) {
    if (p.dtype() == dtype) return;
    for (const auto& [before, after] : converted)
      if (before.data() == p.data()) {
        p = after;
        return;
      }
    Tensor after = p.detach().to(dtype).set_requires_grad(p.requires_grad());
    converted.emplace_back(p, after);
    p = after;
  });
}

void Module::zero_grad() {
  visit([](const std::string&, Tensor& p) { p.zero_grad(); });
}

Tensor parameter(Tensor values) {
  values.set_requires_grad(true);
  return values;
}

}  // namespace headwise
