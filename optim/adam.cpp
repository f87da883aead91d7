#include "headwise/optim/adam.h"

#include <cmath>

#include "headwise/autograd/grad_mode.h"
#include "headwise/autograd/kernels/optimiser.h"

namespace headwise {

Adam::Adam(const char* name, NamedTensors parameters, const AdamOptions& options, bool decoupled)
    : Optimiser(name, std::move(parameters), options.lr),
      name_(name),
      options_(options),
      decoupled_(decoupled) {
  require_decay_rate(name, "beta1", options.beta1);
  require_decay_rate(name, "beta2", options.beta2);
  require_not_negative(name, "epsilon", options.epsilon);
  require_not_negative(name, "weight_decay", options.weight_decay);
}

const Adam::BiasCorrection& Adam::correction_at(int64_t step) {
  const auto t = static_cast<double>(step);
  if (correction_.step != step)
    correction_ = {step, 1 - std::pow(options_.beta1, t), 1 - std::pow(options_.beta2, t)};
  return correction_;
}

void Adam::step() {
  const NoGrad guard;
  steps_.resize(parameters_.size());
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const Tensor g = gradient(i);
    if (!g.defined()) continue;
    Tensor& p = parameters_[i].second;
    const Tensor &m = state(first_, i), &v = state(second_, i);
    const BiasCorrection& correction = correction_at(++steps_[i]);
    p.begin_write(name_);
    dispatch_floating(name_, p.dtype(), [&]<class T>() {
      const kernels::AdamRule<T> rule{static_cast<T>(options_.beta1),
                                      static_cast<T>(options_.beta2),
                                      static_cast<T>(options_.epsilon),
                                      static_cast<T>(decoupled_ ? 0 : options_.weight_decay),
                                      static_cast<T>(decoupled_ ? 1 - lr() * options_.weight_decay : 1),
                                      static_cast<T>(lr() / correction.first),
                                      static_cast<T>(1 / std::sqrt(correction.second))};
      kernels::adam(rule, p.pointer<T>(), g.pointer<const T>(), m.pointer<T>(), v.pointer<T>(), p.numel());
    });
  }
}

}  // namespace headwise
