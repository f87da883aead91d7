// Where a derivative is not finite: a branch that was not taken poisons nothing, finite derivatives are left
// alone, and second derivatives stay right.
#include "tests/support/derivatives.h"

namespace headwise::testing {

TEST_CASE("the branch that was not taken sends nothing back", "[singular]") {
  SECTION("square root of a negative number") {
    const Tensor x = leaf({-1, -4});
    CHECK(gradient(where(x > 0, sqrt(x), x), x) == Values{1, 1});
  }
  SECTION("overflowed exponential") {
    const Tensor a = leaf({1000});
    CHECK(gradient(where(a <= 0, exp(a), 1.0 + a), a) == Values{1});
  }
  SECTION("quotient by zero") {
    const Tensor x = leaf({1, 1}), divisor = from({0.0, 1.0});
    const Tensor y = masked_fill(x / divisor, divisor == 0, 0);
    CHECK(values(y) == Values{0, 1});
    CHECK(gradient(y, x) == Values{0, 1});
  }
  SECTION("by a divisor that wants a gradient, zero over zero included") {
    const Tensor x = leaf({0, 1, 6}), divisor = leaf({0, 0, 2});
    const Tensor y = masked_fill(x / divisor, divisor == 0, 0);
    CHECK(gradient(y, x) == Values{0, 0, 0.5});
    CHECK(gradient(y, divisor) == Values{0, 0, -1.5});
  }
  SECTION("logarithm of zero and of a negative number") {
    const Tensor x = leaf({0, -1, 2});
    CHECK(gradient(where(x > 0, log(x), x * 3.0), x) == Values{3, 3, 0.5});
  }
  SECTION("square root of zero, selected nowhere") {
    const Tensor x = leaf({0, 4});
    CHECK(gradient(masked_fill(sqrt(x), from({true, false}), 0), x) == Values{0, 0.25});
  }
  SECTION("root of a negative number by pow") {
    const Tensor x = leaf({-1, 0, 4});
    CHECK(gradient(where(x > 0, pow(x, 0.5), x), x) == Values{1, 1, 0.25});
  }
  SECTION("sine of infinity") {
    const Tensor x = leaf({INFINITY, 0});
    CHECK(gradient(where(x > 0, x, sin(x)), x) == Values{1, 1});
    CHECK(gradient(where(x > 0, x, x + cos(x)), x) == Values{1, 1});
  }
  SECTION("functions of NaN") {
    const Tensor x = leaf({NAN, 2});
    CHECK(gradient(where(x == x, abs(x) + square(x), x), x) == Values{1, 5});
  }
  SECTION("a product with what is not finite") {
    const Tensor x = leaf({0, 2});
    const Tensor entropy = where(x > 0, x * log(x), x);
    check_close(grad(sum(entropy), {x})[0], from({1.0, std::log(2.0) + 1}), 1e-15);
    const Tensor wild = leaf({NAN, 3});
    CHECK(gradient(masked_fill(x * wild, wild != wild, 0), x) == Values{0, 3});
    CHECK(gradient(masked_fill(x * wild, wild != wild, 0), wild) == Values{0, 2});
  }
  SECTION("a literal over zero") {
    const Tensor x = leaf({0, 2});
    CHECK(gradient(where(x > 0, 1.0 / x, x), x) == Values{1, -0.25});
  }
}

TEST_CASE("the same holds for gradients of gradients", "[singular]") {
  const Tensor x = leaf({-1, 0, 4});
  auto twice = [&](const Tensor& y) {
    const Tensor slope = grad(sum(y), {x}, {.create_graph = true})[0];
    return values(grad(sum(slope * slope), {x})[0]);
  };
  // d/dx of (dy/dx)^2 is 0 where y = x; for sqrt it is 2 s' s'' = 2 (1/4) (-1/32).
  CHECK(twice(where(x > 0, sqrt(x), x)) == Values{0, 0, -1.0 / 64});
  CHECK(twice(where(x > 0, log(x), x)) == Values{0, 0, -1.0 / 32});
  CHECK(twice(where(x > 0, 1.0 / x, x)) == Values{0, 0, -1.0 / 256});
}

TEST_CASE("second derivatives are right where a cotangent is zero", "[singular]") {
  auto squared_distance = [](const Tensor& x) {
    const Tensor d = sqrt(x) - 1.0;
    return d * d;
  };
  CHECK(jet(squared_distance, 1) == Values{0, 0, 0.5});
  auto log_squared = [](const Tensor& x) { return log(x) * log(x); };
  CHECK(jet(log_squared, 1) == Values{0, 0, 2});
  auto quotient = [](const Tensor& x) {
    const Tensor d = 1.0 / x - 0.5;
    return d * d;
  };
  CHECK(jet(quotient, 2) == Values{0, 0, 0.125});
  auto exponential = [](const Tensor& x) {
    const Tensor d = exp(x) - 1.0;
    return d * d;
  };
  CHECK(jet(exponential, 0) == Values{0, 0, 2});
  CHECK(jet([](const Tensor& x) { return x * x * x; }, 0) == Values{0, 0, 0});
}

TEST_CASE("derivatives that are infinite and wanted are infinite", "[singular]") {
  const Tensor zero = leaf({0});
  CHECK(gradient(sqrt(zero), zero) == Values{INFINITY});
  CHECK(gradient(log(zero), zero) == Values{INFINITY});
  const Tensor x = leaf({3});
  CHECK(gradient(x / zeros({1}, f64), x) == Values{INFINITY});
}

TEST_CASE("kinks have one documented slope", "[singular]") {
  for (const DType dtype : {f32, f64}) {
    const Tensor x = leaf({-1, -0.0, 0, 2}, dtype);
    CHECK(values(relu(x)) == Values{0, 0, 0, 2});
    CHECK(gradient(relu(x), x) == Values{0, 0, 0, 1});
    CHECK(values(abs(x)) == Values{1, 0, 0, 2});
    CHECK(gradient(abs(x), x) == Values{-1, 0, 0, 1});
    CHECK(gradient(maximum(x, 0.0), x) == Values{0, 0.5, 0.5, 1});
    CHECK(std::isnan(values(relu(full({1}, NAN, dtype)))[0]));
  }
}

TEST_CASE("a product with zero is zero even times infinity or NaN", "[singular]") {
  const Tensor zero = zeros({3}, f64), wild = full({3}, INFINITY, f64);
  CHECK(values(zero_safe_mul(zero, wild)) == Values{0, 0, 0});
  CHECK(values(zero_safe_mul(zero, full({3}, NAN, f64))) == Values{0, 0, 0});
  CHECK(values(zero_safe_mul(from({2.0, -1.0, 0.5}), from({3.0, 4.0, 8.0}))) == Values{6, -4, 4});
  CHECK(std::isnan(values(zero_safe_mul(full({1}, 1, f64), full({1}, NAN, f64)))[0]));
  // The zero of a local derivative hides no cotangent that is not finite.
  CHECK(std::isnan(values(zero_safe_mul(full({1}, NAN, f64), zeros({1}, f64)))[0]));
}

}  // namespace headwise::testing
