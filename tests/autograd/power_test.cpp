// Powers with a base of 0, in value, slope and curvature.
#include "tests/support/derivatives.h"

namespace headwise::testing {
namespace {

struct Slopes {
  double value, base, exponent;
  bool operator==(const Slopes&) const = default;
};

Slopes slopes(double base, double exponent, DType dtype = f64) {
  const Tensor a = full({}, base, dtype).set_requires_grad(true);
  const Tensor b = full({}, exponent, dtype).set_requires_grad(true);
  const Tensor y = pow(a, b);
  const auto g = grad(y, {a, b});
  return {values(y)[0], values(g[0])[0], values(g[1])[0]};
}

Tensor rosenbrock(const Tensor& at) {
  const Tensor x = at.select(0, 0), y = at.select(0, 1);
  return pow(1.0 - x, 2) + pow(y - pow(x, 2), 2) * 100.0;
}

}  // namespace

TEST_CASE("a base of 0 has finite slopes where they exist", "[power]") {
  const Tensor a = leaf({0, 2}), b = leaf({1, 1});
  const auto g = grad(sum(pow(a, b)), {a, b});
  CHECK(values(g[0]) == Values{1, 1});
  check_close(g[1], from({0.0, 1.3862943611198906}), 1e-15);
  for (const DType dtype : {f32, f64})
    for (const double zero : {0.0, -0.0}) {
      CHECK(slopes(zero, 0, dtype) == Slopes{1, 0, 0});
      CHECK(slopes(zero, 3, dtype) == Slopes{0, 0, 0});
      CHECK(slopes(zero, 2, dtype) == Slopes{0, 0, 0});
      CHECK(slopes(zero, 0.5, dtype) == Slopes{0, INFINITY, 0});
    }
  CHECK(slopes(INFINITY, -1) == Slopes{0, -0.0, 0});
  CHECK(slopes(0, -2) == Slopes{INFINITY, -INFINITY, -INFINITY});
}

TEST_CASE("a literal exponent agrees with a tensor of it", "[power]") {
  for (const DType dtype : {f32, f64})
    for (const double exponent : {-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 7.0}) {
      CAPTURE(exponent, name_of(dtype));
      const Tensor x = leaf({-INFINITY, -2, -0.0, 0, 0.5, 1, 3, INFINITY, NAN}, dtype);
      const Tensor whole = full({}, exponent, dtype);
      const double tolerance = dtype == f32 ? 3e-7 : 1e-15;
      check_close(pow(x, exponent), pow(x, whole), tolerance);
      check_close(grad(sum(pow(x, exponent)), {x})[0], grad(sum(pow(x, whole)), {x})[0], tolerance);
    }
}

TEST_CASE("a negative base poisons only an exponent that asks", "[power]") {
  const Slopes both = slopes(-2, 2);
  CHECK(both.value == 4);
  CHECK(both.base == -4);
  CHECK(std::isnan(both.exponent));
  const Tensor a = leaf({-2, 3}), b = leaf({2, 2});
  CHECK(gradient(pow(a, from({2.0, 2.0})), a) == Values{-4, 6});
  const Tensor y = where(a > 0, pow(a, b), a + b);
  CHECK(gradient(y, a) == Values{1, 6});
  check_close(grad(sum(y), {b})[0], from({1.0, 9 * std::log(3.0)}), 1e-15);
  CHECK(std::isnan(values(pow(full({}, -8, f64), 1.0 / 3))[0]));
}

TEST_CASE("powers of a literal", "[power]") {
  const Tensor x = leaf({-1, 0, 3});
  CHECK(values(pow(2, x)) == Values{0.5, 1, 8});
  check_close(grad(sum(pow(2, x)), {x})[0], from({0.5, 1.0, 8.0}) * std::log(2.0), 1e-15);
  const Tensor up = leaf({0, 2});
  CHECK(values(pow(0, up)) == Values{1, 0});
  CHECK(gradient(pow(0, up), up) == Values{0, 0});
}

TEST_CASE("second derivatives at a base of 0", "[power]") {
  CHECK(jet([](const Tensor& x) { return pow(x, 2); }, 0) == Values{0, 0, 2});
  CHECK(jet([](const Tensor& x) { return pow(x, full({}, 2, f64)); }, 0) == Values{0, 0, 2});
  CHECK(jet([](const Tensor& x) { return pow(x, 3); }, 0) == Values{0, 0, 0});
  CHECK(jet([](const Tensor& x) { return pow(x, 1); }, 0) == Values{0, 1, 0});
  CHECK(jet([](const Tensor& x) { return pow(x, full({}, 1, f64)); }, 0) == Values{0, 1, 0});
  CHECK(jet([](const Tensor& x) { return pow(x, full({}, 0, f64)); }, 0) == Values{1, 0, 0});
  CHECK(jet([](const Tensor& x) { return pow(x, 1.5); }, 0) == Values{0, 0, INFINITY});
  CHECK(jet([](const Tensor& b) { return pow(0, b); }, 2) == Values{0, 0, 0});
  CHECK(jet([](const Tensor& x) { return pow(pow(x, 0.5) - 1.0, 2); }, 1) == Values{0, 0, 0.5});
  auto product = [](const Tensor& at) { return pow(at.select(0, 0), 2) * pow(at.select(0, 1), 2); };
  CHECK(values(hessian(product, from<double>({0, 0}))) == Values{0, 0, 0, 0});
  CHECK(values(hessian(product, from<double>({0, 3}))) == Values{18, 0, 0, 0});
  // Base and exponent together: d2/da2 = b (b - 1) a^(b-2), and at a = 0 all that has a logarithm vanishes.
  auto both = [](const Tensor& at) { return pow(at.select(0, 0), at.select(0, 1)); };
  CHECK(values(hessian(both, from<double>({0, 2}))) == Values{2, 0, 0, 0});
  CHECK(values(hessian(both, from<double>({0, 3}))) == Values{0, 0, 0, 0});
}

TEST_CASE("Rosenbrock's function", "[power]") {
  auto slope = [](std::initializer_list<double> at) {
    const Tensor x = leaf(at);
    return gradient(rosenbrock(x), x);
  };
  CHECK(slope({0, 0}) == Values{-2, 0});
  CHECK(slope({1, 1}) == Values{0, 0});
  CHECK(slope({0.5, -1}) == Values{249, -250});
  CHECK(values(hessian(rosenbrock, from<double>({0, 0}))) == Values{2, 0, 0, 200});
  CHECK(values(hessian(rosenbrock, from<double>({1, 1}))) == Values{802, -400, -400, 200});
  CHECK(values(hessian(rosenbrock, from<double>({0.5, -1}))) == Values{702, -200, -200, 200});
}

}  // namespace headwise::testing
