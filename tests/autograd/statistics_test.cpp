// Variances and standard deviations: corrections, large means, zero variance.
#include "tests/support/tensors.h"

namespace headwise::testing {
namespace {

using Values = std::vector<double>;

}  // namespace

TEST_CASE("variances by hand, for every correction", "[statistics]") {
  // Distances from the mean 2.5: -1.5, -0.5, 0.5, 1.5; their squares add up to 5.
  const Tensor x = from({1.0, 2.0, 3.0, 4.0}).set_requires_grad(true);
  CHECK(var(x).item<double>() == 5.0 / 3);
  CHECK(var(x, {.correction = 0}).item<double>() == 1.25);
  CHECK(var(x, {.correction = 3}).item<double>() == 5.0);
  check_close(stddev(x), full({}, std::sqrt(5.0 / 3), f64));
  check_close(stddev(x, {.correction = 0}), full({}, std::sqrt(1.25), f64));
  check_close(grad(var(x), {x})[0], from({-1.0, -1.0 / 3, 1.0 / 3, 1.0}));
  // (x - mean) / (3 sd)
  check_close(grad(stddev(x), {x})[0], from({-1.5, -0.5, 0.5, 1.5}) / (3 * std::sqrt(5.0 / 3)));
}

TEST_CASE("variances over axes of any layout", "[statistics]") {
  Rng rng(1);
  const Tensor x = randn({3, 4, 5}, rng, f64), turned = x.permute({2, 0, 1});
  check_close(var(turned, {1, 2}), var(x.permute({2, 0, 1}).contiguous().view({5, 12}), {1}));
  CHECK(var(x, {0, -1}, true).shape() == Shape{1, 4, 1});
  CHECK(stddev(x, {1}).shape() == Shape{3, 5});
  CHECK(var(zeros({0, 3}, f64), {1}).shape() == Shape{0});
  check_close(var(x + 1e6, {0}), var(x, {0}), 1e-9);
}

TEST_CASE("at zero variance the standard deviation has gradient 0", "[statistics]") {
  const Tensor x = from({{2.0, 2.0, 2.0}, {1.0, 2.0, 3.0}}).set_requires_grad(true);
  const Tensor y = stddev(x, {1});
  CHECK(values(y) == Values{0, 1});
  const Tensor slope = grad(sum(y), {x}, {.create_graph = true})[0];
  check_close(slope, from({{0.0, 0.0, 0.0}, {-0.5, 0.0, 0.5}}));
  const auto curvature = values(grad(sum(slope * slope), {x})[0]);
  for (const double c : curvature) CHECK(std::isfinite(c));
}

}  // namespace headwise::testing
