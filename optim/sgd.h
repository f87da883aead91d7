// Stochastic gradient descent with momentum.
#pragma once

#include "headwise/optim/optimiser.h"

namespace headwise {

struct SgdOptions {
  double lr = 1e-3;
  double momentum = 0;
  double dampening = 0;
  double weight_decay = 0;
  /// Looks ahead by the momentum (Sutskever et al. 2013); needs momentum > 0 and dampening 0.
  bool nesterov = false;
};

/// g' = g + weight_decay p;  buffer = momentum buffer + (1 - dampening) g', started at g';
/// p -= lr (nesterov ? g' + momentum buffer : buffer). As in PyTorch.
class SGD : public Optimiser {
 public:
  SGD(NamedTensors parameters, const SgdOptions& options);
  void step() override;

 private:
  SgdOptions options_;
  std::vector<Tensor> buffers_;
};

}  // namespace headwise
