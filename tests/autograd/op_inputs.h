// Inputs for the table of ops, drawn afresh for each row: the table does not depend on its own order.
#pragma once

#include "tests/support/tensors.h"

namespace headwise::testing {

using Args = std::vector<Tensor>;

inline Tensor normal(const Shape& shape, uint64_t seed) {
  Rng rng(seed, 17);
  return randn(shape, rng, f64);
}
inline Tensor positive(const Shape& shape, uint64_t seed) {
  Rng rng(seed, 18);
  return rand(shape, rng, f64) + 0.5;
}
// Distinct values at least 0.1 apart and away from 0, in a shuffled order: no tie and no kink within a step.
inline Tensor distinct(const Shape& shape, uint64_t seed) {
  Rng rng(seed, 19);
  std::vector<int64_t> order(static_cast<size_t>(shape.numel()));
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int64_t>(i);
  rng.shuffle(order);
  const int64_t middle = shape.numel() / 2;
  std::vector<double> x;
  for (const int64_t rank : order) x.push_back(0.1 * static_cast<double>(rank - middle) + 0.05);
  return from_values<double>(x, shape);
}
inline Tensor integers(std::initializer_list<int64_t> values, const Shape& shape) {
  return from_values<int64_t>({values.begin(), values.size()}, shape);
}
inline Tensor mask(std::initializer_list<int64_t> bits, const Shape& shape) {
  return integers(bits, shape).to(boolean);
}

}  // namespace headwise::testing
