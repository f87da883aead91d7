// Adam (Kingma and Ba 2015) and AdamW (Loshchilov and Hutter 2019).
#pragma once

#include "headwise/optim/optimiser.h"

namespace headwise {

struct AdamOptions {
  double lr = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  /// Added to the root of the corrected second moment.
  double epsilon = 1e-8;
  /// Adam adds weight_decay p to the gradient; AdamW shrinks p by lr weight_decay instead.
  double weight_decay = 0;
};

/// m = beta1 m + (1 - beta1) g, v = beta2 v + (1 - beta2) g^2,
/// p -= lr (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + epsilon). As in PyTorch.
class Adam : public Optimiser {
 public:
  Adam(NamedTensors parameters, const AdamOptions& options)
      : Adam("Adam", std::move(parameters), options, false) {}
  void step() override;

 protected:
  Adam(const char* name, NamedTensors parameters, const AdamOptions& options, bool decoupled);

 private:
  struct BiasCorrection {
    int64_t step = 0;
    double first = 0, second = 0;  // 1 - beta^step
  };
  /// Worked out anew only when the step changes: most parameters have taken equally many.
  const BiasCorrection& correction_at(int64_t step);

  const char* name_;
  AdamOptions options_;
  bool decoupled_;
  std::vector<Tensor> first_, second_;
  BiasCorrection correction_;
  std::vector<int64_t> steps_;  // per parameter: how often it had a gradient
};

/// Adam with weight decay apart from the gradient.
class AdamW : public Adam {
 public:
  AdamW(NamedTensors parameters, const AdamOptions& options)
      : Adam("AdamW", std::move(parameters), options, true) {}
};

}  // namespace headwise
