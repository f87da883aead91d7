// A fully connected layer.
#pragma once

#include "headwise/autograd/rng.h"
#include "headwise/layers/module.h"

namespace headwise {

struct LinearOptions {
  int64_t in;
  int64_t out;
  bool bias = true;
};

/// y = x W^T + b: x (..., in) -> (..., out). Both start uniform on +-1/sqrt(in), as in PyTorch.
/// Observation point: output (..., out).
class Linear : public Module {
 public:
  Linear(const LinearOptions& options, Rng& rng);
  Tensor forward(const Tensor& x) const;

  Tensor weight;  // (out, in)
  Tensor bias;    // (out), or undefined

 private:
  void members(Members& m) override;
  ObservationPoint output_;
};

}  // namespace headwise
