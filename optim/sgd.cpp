#include "headwise/optim/sgd.h"

#include "headwise/autograd/grad_mode.h"
#include "headwise/autograd/kernels/optimiser.h"

namespace headwise {

SGD::SGD(NamedTensors parameters, const SgdOptions& options)
    : Optimiser("SGD", std::move(parameters), options.lr), options_(options) {
  require_not_negative("SGD", "momentum", options.momentum);
  require_not_negative("SGD", "dampening", options.dampening);
  require_not_negative("SGD", "weight_decay", options.weight_decay);
  require(!options.nesterov || (options.momentum > 0 && options.dampening == 0),
          "SGD: nesterov needs momentum > 0 and dampening 0, got {} and {}", options.momentum,
          options.dampening);
}

void SGD::step() {
  const NoGrad guard;
  buffers_.resize(parameters_.size());
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const Tensor g = gradient(i);
    if (!g.defined()) continue;
    Tensor& p = parameters_[i].second;
    const bool first = !buffers_[i].defined();
    const Tensor buffer = options_.momentum != 0 ? state(buffers_, i) : Tensor();
    p.begin_write("SGD");
    dispatch_floating("SGD", p.dtype(), [&]<class T>() {
      const kernels::SgdRule<T> rule{static_cast<T>(lr()),
                                     static_cast<T>(options_.momentum),
                                     static_cast<T>(options_.dampening),
                                     static_cast<T>(options_.weight_decay),
                                     options_.nesterov,
                                     first};
      kernels::sgd(rule, p.pointer<T>(), g.pointer<const T>(),
                   buffer.defined() ? buffer.pointer<T>() : nullptr, p.numel());
    });
  }
}

}  // namespace headwise
