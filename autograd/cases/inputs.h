// Inputs for the table of ops. Every seed gives other values, and none within a step of a kink or a tie.
#pragma once

#include <cmath>

#include "headwise/autograd/autograd.h"

namespace headwise::cases {

using Args = std::vector<Tensor>;

inline Tensor normal(const Shape& shape, Rng& rng) { return randn(shape, rng, f64); }

/// Between 0.5 and 1.5.
inline Tensor positive(const Shape& shape, Rng& rng) { return rand(shape, rng, f64) + 0.5; }

/// In a random order, one value within 0.01 of each of ..., -0.15, -0.05, 0.05, 0.15, ...: apart from each
/// other, from zero and from all multiples of 0.1.
inline Tensor distinct(const Shape& shape, Rng& rng) {
  std::vector<int64_t> ranks(static_cast<size_t>(shape.numel()));
  for (size_t i = 0; i < ranks.size(); ++i) ranks[i] = static_cast<int64_t>(i);
  rng.shuffle(ranks);
  const int64_t half = shape.numel() / 2;
  std::vector<double> x;
  for (const int64_t rank : ranks) {
    const double middle = 0.1 * static_cast<double>(rank - half) + 0.05;
    x.push_back(middle + 0.01 * (2 * rng.uniform() - 1));
  }
  return from_values<double>(x, shape);
}

/// The same about multiples of 0.1: apart from all values of distinct.
inline Tensor between(const Shape& shape, Rng& rng) { return distinct(shape, rng) + 0.05; }

inline Tensor integers(std::initializer_list<int64_t> values, const Shape& shape) {
  return from_values<int64_t>({values.begin(), values.size()}, shape);
}
inline Tensor mask(std::initializer_list<int64_t> bits, const Shape& shape) {
  return integers(bits, shape).to(boolean);
}

}  // namespace headwise::cases
