// Values and gradients of elementwise functions at zeros, infinities and NaN.
#include <numbers>

#include "tests/support/derivatives.h"

namespace headwise::testing {

TEST_CASE("absolute value and sign follow the sign", "[math]") {
  for (const DType dtype : {f32, f64}) {
    const Tensor x = from<double>({-INFINITY, -2.5, -0.0, 0.0, 3.0, INFINITY, NAN}).to(dtype);
    check_close(abs(x), from<double>({INFINITY, 2.5, 0.0, 0.0, 3.0, INFINITY, NAN}).to(dtype), 0);
    check_close(sign(x), from<double>({-1.0, -1.0, 0.0, 0.0, 1.0, 1.0, NAN}).to(dtype), 0);
    CHECK(!std::signbit(values(abs(x))[2]));
  }
  const Tensor n = from<int64_t>({-3, 0, 4});
  CHECK(same_bits(abs(n), from<int64_t>({3, 0, 4})));
  CHECK(same_bits(sign(n), from<int64_t>({-1, 0, 1})));
  CHECK(same_bits(square(n), from<int64_t>({9, 0, 16})));
}

TEST_CASE("the sign carries no gradient", "[math]") {
  const Tensor x = leaf({-1, 2});
  CHECK(!sign(x).requires_grad());
  CHECK(gradient(x * sign(x), x) == Values{-1, 1});
}

TEST_CASE("sine and cosine differentiate in a circle", "[math]") {
  const double x = 0.7;
  CHECK(jet(sin, x) == Values{std::sin(x), std::cos(x), -std::sin(x)});
  CHECK(jet(cos, x) == Values{std::cos(x), -std::sin(x), -std::cos(x)});
  CHECK(jet(square, -3) == Values{9, -6, 2});
  CHECK(std::isnan(values(sin(full({1}, INFINITY, f64)))[0]));
  check_close(sin(full({1}, std::numbers::pi_v<float>, f32)), full({1}, -8.7422777e-8, f32), 1e-13);
}

}  // namespace headwise::testing
