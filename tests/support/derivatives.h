// Gradients and second derivatives at chosen points.
#pragma once

#include "tests/support/tensors.h"

namespace headwise::testing {

using Args = std::vector<Tensor>;
using Values = std::vector<double>;

inline Tensor random(const Shape& shape, uint64_t seed) {
  Rng rng(seed);
  return randn(shape, rng, f64);
}

inline Tensor leaf(std::initializer_list<double> values, DType dtype = f64) {
  return from(values).to(dtype).set_requires_grad(true);
}

/// Of the sum of `output`.
inline Values gradient(const Tensor& output, const Tensor& input) {
  return values(grad(sum(output), {input}, {.retain_graph = true})[0]);
}

/// Value, slope and curvature at x.
inline Values jet(const UnaryTensorFunction& f, double at) {
  const Tensor x = full({}, at, f64);
  return {f(x).item<double>(), jacobian(f, x).item<double>(), hessian(f, x).item<double>()};
}

}  // namespace headwise::testing
