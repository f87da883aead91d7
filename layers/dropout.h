// Dropout with a generator of its own.
#pragma once

#include "headwise/autograd/rng.h"
#include "headwise/layers/module.h"

namespace headwise {

/// In training, zeroes each element with probability p and scales the others by 1 / (1 - p); in evaluation,
/// returns its input. Draws from its own generator, so a layer's masks depend on its seed and on how many it
/// has drawn. Error unless 0 <= p <= 1. Observation point: output, in the shape of the input.
class Dropout : public Module {
 public:
  Dropout(double p, const Rng& rng);
  Tensor forward(const Tensor& x);

 private:
  void members(Members& m) override;
  Rng* generator() override { return &rng_; }
  double p_;
  Rng rng_;
  ObservationPoint output_;
};

}  // namespace headwise
