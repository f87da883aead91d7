// Running sums: either direction, any layout, long ones that do not stick.
#include "tests/support/tensors.h"

namespace headwise::testing {
namespace {

using Values = std::vector<double>;
constexpr double infinity = INFINITY;

}  // namespace

TEST_CASE("running sums from either end", "[cumsum]") {
  const Tensor x = from({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}}).set_requires_grad(true);
  CHECK(values(cumsum(x, 1)) == Values{1, 3, 6, 4, 9, 15});
  CHECK(values(cumsum(x, 0)) == Values{1, 2, 3, 5, 7, 9});
  CHECK(values(cumsum(x, -1, {.reverse = true})) == Values{6, 5, 3, 15, 11, 6});
  CHECK(cumsum(arange(4), 0).to_vector<int64_t>() == std::vector<int64_t>{0, 1, 3, 6});
  // Each element is in as many sums as follow it.
  CHECK(values(grad(sum(cumsum(x, 1)), {x})[0]) == Values{3, 2, 1, 3, 2, 1});
  CHECK(values(grad(sum(cumsum(x, 1, {.reverse = true})), {x})[0]) == Values{1, 2, 3, 1, 2, 3});
  const Tensor expanded = ones({1}, f64).expand({4});
  CHECK(values(cumsum(expanded, 0)) == Values{1, 2, 3, 4});
}

TEST_CASE("running sums along any axis of any view", "[cumsum]") {
  Rng rng(1);
  const Tensor base = randn({7, 35, 40}, rng, f32);
  for (const Tensor& x : {base, base.transpose(0, 2), base.permute({1, 2, 0}), base.slice(2, 3, 38)})
    for (int axis = 0; axis < 3; ++axis) {
      CAPTURE(axis, to_string(x.strides()));
      const Tensor y = cumsum(x, axis), back = cumsum(x, axis, {.reverse = true});
      CHECK(same_bits(y, cumsum(x.contiguous(), axis)));
      CHECK(same_bits(y.slice(axis, 0, 1), x.slice(axis, 0, 1)));
      check_close(y.select(axis, -1), sum(x, {axis}), 1e-5);
      check_close(back.select(axis, 0), sum(x, {axis}), 1e-5);
      CHECK(same_bits(y.slice(axis, 0, 3), cumsum(x.slice(axis, 0, 3), axis)));
    }
}

TEST_CASE("running sums over nothing are empty", "[cumsum]") {
  CHECK(cumsum(zeros({0}), 0).shape() == Shape{0});
  CHECK(cumsum(zeros({2, 0}), 1).shape() == Shape{2, 0});
  CHECK(cumsum(zeros({2, 0}), 0, {.reverse = true}).shape() == Shape{2, 0});
}

TEST_CASE("a long f32 running sum does not stick", "[cumsum]") {
  constexpr int64_t length = 16777216 + 10;
  CHECK(cumsum(ones({1}, f32).expand({length}), 0).select(0, -1).item<float>() == 16777226.0f);
}

TEST_CASE("infinities and NaN stay in a running sum from where they stand", "[cumsum]") {
  const auto y = values(cumsum(from({1.0, infinity, 2.0, -infinity, 1.0}), 0));
  CHECK(y[0] == 1);
  CHECK(y[2] == infinity);
  CHECK(std::isnan(y[3]));
  CHECK(std::isnan(y[4]));
}

}  // namespace headwise::testing
