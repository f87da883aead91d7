// Extremes: ties that share the gradient or go to the first, NaN, and how indices and values belong together.
#include "tests/support/tensors.h"

namespace headwise::testing {
namespace {

using Values = std::vector<double>;
using Indices = std::vector<int64_t>;

Tensor leaf(std::initializer_list<double> values) { return from(values).set_requires_grad(true); }

Values gradient(const Tensor& output, const Tensor& input) { return values(grad(sum(output), {input})[0]); }

}  // namespace

TEST_CASE("tied extremes share the gradient, and it is not multiplied", "[extremes]") {
  const Tensor x = leaf({2, 2, 1});
  CHECK(gradient(amax(x), x) == Values{0.5, 0.5, 0});
  const Tensor equal = leaf({1, 1, 1, 1});
  CHECK(gradient(amin(equal), equal) == Values(4, 0.25));
  const Tensor rows = from({{3.0, 3.0}, {1.0, 2.0}}).set_requires_grad(true);
  CHECK(gradient(amax(rows, {1}), rows) == Values{0.5, 0.5, 0, 1});
  CHECK(gradient(amin(rows, {0}), rows) == Values{0, 0, 1, 1});
}

TEST_CASE("shares of any tie are at least zero and add up to the cotangent", "[extremes]") {
  Rng rng(1);
  for (int64_t n = 1; n <= 40; ++n) {
    CAPTURE(n);
    // Few distinct values: rows with ties of every size.
    Tensor x = empty({6, n}, f64);
    for (double& value : x.mutable_values<double>()) value = static_cast<double>(rng.below(3));
    x.set_requires_grad(true);
    const Tensor cotangent = rand({6}, rng, f64) + 0.1;
    auto shares = [&](const Tensor& y) {
      return grad(std::vector{y}, std::vector{x}, std::vector{cotangent})[0];
    };
    for (const Tensor& found :
         {shares(amax(x, {1})), shares(amin(x, {1})), shares(max(x, 1).values), shares(min(x, 1).values)}) {
      CHECK(all(found >= 0).item<bool>());
      check_close(sum(found, {1}), cotangent, 1e-15);
    }
    const auto both = grad(std::vector{maximum(x, flip(x, {1}))}, std::vector{x},
                           std::vector{cotangent.unsqueeze(1).expand({6, n})})[0];
    check_close(sum(both, {1}), cotangent * static_cast<double>(n), 1e-14);
  }
}

TEST_CASE("an indexed extreme is the first of those that tie, and takes the whole gradient", "[extremes]") {
  const Tensor x = leaf({2, 2, 1});
  CHECK(max(x, 0).indices.item<int64_t>() == 0);
  CHECK(max(x, 0).values.item<double>() == 2);
  CHECK(gradient(max(x, 0).values, x) == Values{1, 0, 0});
  const Tensor y = leaf({3, 1, 5, 1});
  CHECK(min(y, -1).indices.item<int64_t>() == 1);
  CHECK(gradient(min(y, -1).values, y) == Values{0, 1, 0, 0});
  CHECK_FALSE(max(x, 0).indices.requires_grad());
}

TEST_CASE("values and indices of extremes along any axis of any view", "[extremes]") {
  Rng rng(1);
  const Tensor base = randn({4, 5, 3}, rng, f64);
  for (const Tensor& x : {base, base.transpose(0, 2), base.permute({1, 2, 0}), base.slice(1, 1, 4)})
    for (int axis = 0; axis < 3; ++axis) {
      CAPTURE(axis, to_string(x.strides()));
      const Indexed largest = max(x, axis), smallest = min(x, axis, true);
      CHECK(same_bits(largest.values, amax(x, {axis})));
      CHECK(same_bits(smallest.values, amin(x, {axis}, true)));
      CHECK(same_bits(smallest.values, -amax(-x, {axis}, true)));
      CHECK(same_bits(largest.indices, argmax(x, axis)));
      CHECK(same_bits(smallest.indices, argmin(x, axis, true)));
      CHECK(same_bits(gather(x, axis, largest.indices.unsqueeze(axis)).squeeze(axis), largest.values));
      CHECK(same_bits(argmin(x, axis), argmax(-x, axis)));
      CHECK(same_bits(amin(x.contiguous(), {axis}, true), smallest.values));
    }
}

TEST_CASE("shapes, integers and several axes", "[extremes]") {
  const Tensor x = arange(24, f64).view({2, 3, 4});
  CHECK(values(amax(x, {0, 2})) == Values{15, 19, 23});
  CHECK(values(amin(x, {0, 2})) == Values{0, 4, 8});
  CHECK(amin(x, {}, true).shape() == Shape{1, 1, 1});
  CHECK(argmax(x.transpose(0, 2), 0).to_vector<int64_t>() == Indices(6, 3));
  CHECK(argmin(x.transpose(0, 2), 0).to_vector<int64_t>() == Indices(6, 0));
  CHECK(argmax(x, -1, true).shape() == Shape{2, 3, 1});
  CHECK(max(x, 1).values.shape() == Shape{2, 4});
  CHECK(amax(arange(5)).item<int64_t>() == 4);
  CHECK(min(arange(5), 0).values.item<int64_t>() == 0);
  CHECK(amax(full({}, 3, f64)).item<double>() == 3);
  CHECK(max(zeros({0, 3}), 1).values.shape() == Shape{0});
  check_error([] { amax(zeros({2, 0}), {1}); }, {"amax", "[2, 0]"});
  check_error([] { argmin(zeros({0, 2}), 0); }, {"argmin", "[0, 2]"});
}

TEST_CASE("a NaN is the largest and the smallest of its terms", "[extremes]") {
  const double nan = NAN;
  const Tensor x = from({{1.0, nan, 3.0, nan}, {1.0, 2.0, 0.0, -1.0}}).set_requires_grad(true);
  for (const Tensor& found : {amax(x, {1}), max(x, 1).values}) {
    CHECK(std::isnan(values(found)[0]));
    CHECK(values(found)[1] == 2);
  }
  for (const Tensor& found : {amin(x, {1}), min(x, 1).values}) {
    CHECK(std::isnan(values(found)[0]));
    CHECK(values(found)[1] == -1);
  }
  CHECK(argmax(x, 1).to_vector<int64_t>() == Indices{1, 1});
  CHECK(argmin(x, 1).to_vector<int64_t>() == Indices{1, 3});
  CHECK(values(amax(full({3}, -INFINITY, f64)))[0] == -INFINITY);
  CHECK(values(amin(full({3}, INFINITY, f64)))[0] == INFINITY);
  // Terms that are NaN share the gradient of a row that has some; max and min give it to the first.
  for (const bool create_graph : {false, true}) {
    auto slope = [&](const Tensor& y) {
      return values(grad(sum(y), {x}, {.create_graph = create_graph})[0]);
    };
    CHECK(slope(amax(x, {1})) == Values{0, 0.5, 0, 0.5, 0, 1, 0, 0});
    CHECK(slope(amin(x, {1})) == Values{0, 0.5, 0, 0.5, 0, 0, 0, 1});
    CHECK(slope(max(x, 1).values) == Values{0, 1, 0, 0, 0, 1, 0, 0});
  }
  // A row with NaN that is not used further sends nothing back.
  CHECK(gradient(amax(x, {1}).select(0, 1), x) == Values{0, 0, 0, 0, 0, 1, 0, 0});
}

}  // namespace headwise::testing
