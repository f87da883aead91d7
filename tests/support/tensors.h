// What tests say about tensors.
#pragma once

#include <cmath>

#include "headwise/autograd/autograd.h"
#include "tests/catch.h"

namespace headwise::testing {

inline std::vector<double> values(const Tensor& x) { return x.detach().to(f64).to_vector<double>(); }

/// allclose with errors relative to max(1, |b|), across dtypes; NaN equals NaN.
inline Comparison compared(const Tensor& a, const Tensor& b, double tolerance) {
  const NoGrad guard;
  const bool convert = a.dtype() != b.dtype();
  return allclose(convert ? a.to(f64) : a, convert ? b.to(f64) : b,
                  {.rtol = tolerance, .atol = 0, .equal_nan = true, .floor = 1});
}

/// The largest |a - b| / max(1, |b|); infinite when shapes differ or a value is NaN in one of them only.
inline double worst_error(const Tensor& a, const Tensor& b) { return compared(a, b, 0).worst_relative; }

/// Fails unless every element of `a` is within `tolerance` of `b`, relative to max(1, |b|).
inline void check_close(const Tensor& a, const Tensor& b, double tolerance = 1e-12) {
  CHECK(compared(a, b, tolerance));
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
