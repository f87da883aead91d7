// What tests say about tensors.
#pragma once

#include <cmath>
#include <cstring>

#include "headwise/autograd/autograd.h"
#include "tests/catch.h"

namespace headwise::testing {

inline std::vector<double> values(const Tensor& x) { return x.detach().to(f64).to_vector<double>(); }

inline bool same_bits(const Tensor& a, const Tensor& b) {
  if (a.shape() != b.shape() || a.dtype() != b.dtype()) return false;
  const Tensor x = a.detach().contiguous(), y = b.detach().contiguous();
  return std::memcmp(x.data()->data, y.data()->data, static_cast<size_t>(x.numel()) * size_of(x.dtype())) ==
         0;
}

/// The largest |a - b| / max(1, |b|); infinite when shapes differ or a value is NaN in one of them only.
inline double worst_error(const Tensor& a, const Tensor& b) {
  if (a.shape() != b.shape()) return INFINITY;
  const auto x = values(a), y = values(b);
  double worst = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    if (x[i] == y[i] || (std::isnan(x[i]) && std::isnan(y[i]))) continue;
    const double error = std::abs(x[i] - y[i]) / std::max(1.0, std::abs(y[i]));
    worst = std::isnan(error) ? INFINITY : std::max(worst, error);
  }
  return worst;
}

/// Fails unless every element of `a` is within `tolerance` of `b`, relative to max(1, |b|).
inline void check_close(const Tensor& a, const Tensor& b, double tolerance = 1e-12) {
  INFO("shapes " << to_string(a.shape()) << " and " << to_string(b.shape()));
  CHECK(worst_error(a, b) <= tolerance);
}

/// Fails unless `statement` throws an Error whose text holds all of `words`.
template <class F>
void check_error(F&& statement, std::initializer_list<const char*> words) {
  try {
    statement();
  } catch (const Error& error) {
    for (const char* word : words) CHECK_THAT(error.what(), Catch::Matchers::ContainsSubstring(word));
    return;
  }
  FAIL_CHECK("no Error was thrown");
}

}  // namespace headwise::testing
