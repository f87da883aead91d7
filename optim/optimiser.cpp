#include "headwise/optim/optimiser.h"

#include <cmath>

#include "headwise/autograd/grad_mode.h"
#include "headwise/autograd/ops/creation.h"

namespace headwise {

Optimiser::Optimiser(const char* name, NamedTensors parameters, double lr)
    : parameters_(std::move(parameters)), name_(name) {
  set_lr(lr);
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const auto& [label, p] = parameters_[i];
    require(p.defined() && p.is_leaf() && p.requires_grad() && p.is_contiguous(),
            "{}: parameter {} must be a contiguous leaf that requires a gradient", name, label);
    for (size_t j = 0; j < i; ++j)
      require(parameters_[j].second.data() != p.data(), "{}: parameters {} and {} are the same tensor", name,
              parameters_[j].first, label);
  }
}

void Optimiser::zero_grad() {
  for (auto& entry : parameters_) entry.second.zero_grad();
}

void Optimiser::set_lr(double lr) {
  require_not_negative(name_, "lr", lr);
  lr_ = lr;
}

Tensor Optimiser::gradient(size_t i) const {
  const NoGrad guard;
  Tensor gradient = parameters_[i].second.grad();
  return gradient.defined() ? gradient.contiguous() : gradient;
}

Tensor& Optimiser::state(std::vector<Tensor>& buffers, size_t i) const {
  buffers.resize(parameters_.size());
  const Tensor& p = parameters_[i].second;
  if (!buffers[i].defined()) buffers[i] = zeros(p.shape(), p.dtype());
  return buffers[i];
}

void require_decay_rate(const char* optimiser, const char* option, double value) {
  require(value >= 0 && value < 1, "{}: {} must lie in [0, 1), got {}", optimiser, option, value);
}

void require_not_negative(const char* optimiser, const char* option, double value) {
  require(std::isfinite(value) && value >= 0, "{}: {} must be a finite number of at least 0, got {}",
          optimiser, option, value);
}

}  // namespace headwise
