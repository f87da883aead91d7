// Layer normalisation with a trained gain and offset.
#pragma once

#include "headwise/layers/module.h"

namespace headwise {

struct LayerNormOptions {
  int64_t width;
  double epsilon = 1e-5;
};

/// (x - mean) / sqrt(variance + epsilon) * weight + bias over the last axis: x (..., width), same shape out.
/// Starts with weight 1 and bias 0. Observation point: output (..., width).
class LayerNorm : public Module {
 public:
  explicit LayerNorm(const LayerNormOptions& options);
  Tensor forward(const Tensor& x) const;

  Tensor weight;  // (width)
  Tensor bias;    // (width)

 private:
  void members(Members& m) override;
  double epsilon_;
  ObservationPoint output_;
};

}  // namespace headwise
