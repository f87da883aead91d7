// Gradients and second derivatives at chosen points.
#pragma once

#include <functional>

#include "tests/support/tensors.h"

namespace headwise::testing {

using Values = std::vector<double>;

inline Tensor leaf(std::initializer_list<double> values, DType dtype = f64) {
  return from(values).to(dtype).set_requires_grad(true);
}

/// Of the sum of `output`.
inline Values gradient(const Tensor& output, const Tensor& input) {
  return values(grad(sum(output), {input}, {.retain_graph = true})[0]);
}

/// Value, slope and curvature at x.
inline Values jet(const std::function<Tensor(const Tensor&)>& f, double at) {
  const Tensor x = full({}, at, f64).set_requires_grad(true);
  const Tensor y = f(x);
  const Tensor slope = grad(y, {x}, {.create_graph = true})[0];
  const Tensor curvature = slope.requires_grad() ? grad(slope, {x}, {.allow_unused = true})[0] : Tensor();
  return {y.item<double>(), slope.item<double>(), curvature.defined() ? curvature.item<double>() : 0};
}

/// The matrix of second derivatives of a scalar function of a vector, row after row.
inline Values hessian(const std::function<Tensor(const Tensor&)>& f, std::initializer_list<double> at) {
  const Tensor x = leaf(at);
  const Tensor slope = grad(f(x), {x}, {.create_graph = true})[0];
  Values rows;
  for (int64_t i = 0; i < x.numel(); ++i) {
    const Values row = values(grad(slope.select(0, i), {x}, {.retain_graph = true})[0]);
    rows.insert(rows.end(), row.begin(), row.end());
  }
  return rows;
}

}  // namespace headwise::testing
