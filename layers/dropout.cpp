#include "headwise/layers/dropout.h"

#include "headwise/autograd/ops/dropout.h"

namespace headwise {

Dropout::Dropout(double p, const Rng& rng) : p_(p), rng_(rng) { require_probability("Dropout", p); }

Tensor Dropout::forward(const Tensor& x) {
  require(x.defined(), "Dropout: the input is undefined");
  return output_(training() ? dropout(x, p_, rng_) : x);
}

void Dropout::members(Members& m) { m.point("output", output_); }

}  // namespace headwise
