// Norms: values and slopes by hand, the zero vector, and squares that would overflow.
#include "tests/support/tensors.h"

namespace headwise::testing {
namespace {

using Values = std::vector<double>;
constexpr double infinity = INFINITY, nan = NAN;

Tensor leaf(std::initializer_list<double> values) { return from(values).set_requires_grad(true); }

Values gradient(const Tensor& output, const Tensor& input) {
  return values(grad(sum(output), {input}, {.retain_graph = true})[0]);
}

double value(const Tensor& x, double p) { return norm(x, {.p = p}).item<double>(); }

}  // namespace

TEST_CASE("norms and their gradients by hand", "[norm]") {
  const Tensor x = leaf({3, -4, 0});
  CHECK(norm(x).item<double>() == 5);
  CHECK(value(x, 1) == 7);
  CHECK(value(x, infinity) == 4);
  CHECK(value(x, 3) == Approx(std::cbrt(91.0)).epsilon(1e-14));
  CHECK(value(x, 0.5) == Approx(7 + 4 * std::sqrt(3.0)).epsilon(1e-14));
  CHECK(gradient(norm(x), x) == Values{0.6, -0.8, 0});
  CHECK(gradient(norm(x, {.p = 1}), x) == Values{1, -1, 0});
  CHECK(gradient(norm(x, {.p = infinity}), x) == Values{0, -1, 0});
  // sign(x) (|x| / y)^(p - 1)
  const double y = std::cbrt(91.0);
  check_close(from_values<double>(gradient(norm(x, {.p = 3}), x), {3}),
              from({9 / (y * y), -16 / (y * y), 0.0}));
  const Tensor ties = leaf({-2, 1, 2});
  CHECK(gradient(norm(ties, {.p = infinity}), ties) == Values{-0.5, 0, 0.5});
}

TEST_CASE("the curvature of a norm by hand", "[norm]") {
  // (I - u u^T) / y with u = (0.6, 0.8), y = 5
  const Tensor x = leaf({3, 4});
  const Tensor slope = grad(norm(x), {x}, {.create_graph = true})[0];
  check_close(grad(slope.select(0, 0), {x}, {.retain_graph = true})[0], from({0.128, -0.096}));
  check_close(grad(slope.select(0, 1), {x})[0], from({-0.096, 0.072}));
}

TEST_CASE("norms have gradient 0 at the zero vector, and finite derivatives of it", "[norm]") {
  for (const double p : {0.5, 1.0, 1.5, 2.0, 3.0, infinity}) {
    CAPTURE(p);
    const Tensor x = from({{0.0, 0.0}, {3.0, 4.0}, {0.0, -2.0}}).set_requires_grad(true);
    const Tensor y = norm(x, {1}, {.p = p});
    CHECK(values(y)[0] == 0);
    CHECK(values(y)[2] == Approx(2));
    const Tensor slope = grad(sum(y), {x}, {.create_graph = true})[0];
    const auto first = values(slope);
    CHECK(first[0] == 0);
    CHECK(first[1] == 0);
    CHECK(first[4] == 0);
    CHECK(first[5] == Approx(-1));
    const Tensor mixed = sum(slope * from({{1.0, 2.0}, {3.0, -1.0}, {0.5, 2.0}}));
    if (!mixed.requires_grad()) continue;
    const Tensor second = grad(mixed, {x}, {.allow_unused = true})[0];
    if (!second.defined()) continue;
    for (const double s : values(second)) CHECK(std::isfinite(s));
    CHECK(values(second)[0] == 0);
    CHECK(values(second)[1] == 0);
  }
}

TEST_CASE("a norm that can be represented does not overflow or vanish on the way", "[norm]") {
  CHECK(norm(full({100}, 1e20, f32)).item<float>() == Approx(1e21f).epsilon(1e-6));
  CHECK(norm(full({4}, 1e-30, f32)).item<float>() == Approx(2e-30f).epsilon(1e-6));
  for (const double p : {1.0, 1.5, 2.0, 4.0, infinity}) {
    CAPTURE(p);
    for (const double size : {1e300, 1e-300, 5e-324, 1.0}) {
      const Tensor x = full({4}, size, f64).set_requires_grad(true);
      const Tensor y = norm(x, {.p = p});
      CHECK(y.item<double>() / size == Approx(std::pow(4, 1 / p)).epsilon(size < 1e-310 ? 0.5 : 1e-12));
    }
    CHECK(value(from({1.0, -infinity}), p) == infinity);
    CHECK(std::isnan(value(from({1.0, nan}), p)));
    CHECK(value(zeros({0}, f64), p) == 0);
    CHECK(norm(zeros({3, 0}, f64), {0}, {.p = p}).shape() == Shape{0});
  }
  const Tensor huge = full({4}, 1e300, f64).set_requires_grad(true);
  CHECK(gradient(norm(huge), huge) == Values(4, 0.5));
}

TEST_CASE("norms over axes of any layout", "[norm]") {
  Rng rng(1);
  const Tensor x = randn({3, 4, 5}, rng, f64);
  CHECK(norm(x, {0, -1}, true).shape() == Shape{1, 4, 1});
  for (const double p : {1.0, 2.0, 3.0, infinity}) {
    CAPTURE(p);
    const Tensor y = norm(x, {1}, {.p = p});
    CHECK(same_bits(norm(x.permute({1, 2, 0}), {0}, {.p = p}).transpose(0, 1), y));
    CHECK(same_bits(norm(x.transpose(0, 1).contiguous(), {0}, {.p = p}), y));
    check_close(y.select(0, 1).select(0, 2), norm(x.select(0, 1).select(1, 2), {.p = p}));
  }
  check_close(norm(x, {1}), sqrt(sum(x * x, {1})), 1e-14);
}

}  // namespace headwise::testing
