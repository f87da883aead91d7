// Sums, means, maxima: bits that depend on the number of terms alone, long sums that do not stick, ties that
// share.
#include "headwise/autograd/kernels/sum.h"
#include "tests/support/tensors.h"
#include "tests/support/threads.h"

namespace headwise::testing {
namespace {

Tensor leaf(std::initializer_list<double> values) { return from(values).set_requires_grad(true); }

std::vector<double> gradient(const Tensor& output, const Tensor& input) {
  return values(grad(sum(output), {input})[0]);
}

// The same numbers in another layout: every axis order, spread out in memory or not.
std::vector<Tensor> layouts(const Tensor& x) {
  std::vector<Tensor> found{x};
  for (const auto& order : {std::array{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}})
    for (const int64_t gap : {1, 3}) {
      Shape inner;
      for (const int axis : order) inner.append(x.shape()[axis]);
      inner.append(gap);
      Tensor memory = full(inner, NAN, x.dtype()).select(3, 0);
      std::array<int, 3> back{};
      for (int i = 0; i < 3; ++i) back[static_cast<size_t>(order[static_cast<size_t>(i)])] = i;
      Tensor y = memory.permute({back[0], back[1], back[2]});
      y.copy_from(x);
      found.push_back(y);
    }
  return found;
}

}  // namespace

TEST_CASE("the bits of a sum do not depend on layout, strides or threads", "[reduce]") {
  Rng rng(1);
  const Tensor x = randn({33, 37, 41}, rng, f32);
  const std::initializer_list<int> choices[] = {{0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}, {}};
  for (const auto axes : choices) {
    CAPTURE(std::vector<int>(axes));
    const Tensor expected = sum(x, axes);
    for (const Tensor& y : layouts(x)) {
      CAPTURE(to_string(y.strides()));
      CHECK(same_bits(sum(y, axes), expected));
    }
    for (const int threads : {2, 3, 4, 8}) {
      const Threads guard(threads);
      CHECK(same_bits(sum(x, axes), expected));
    }
  }
}

TEST_CASE("a column's sum does not depend on its neighbours", "[reduce]") {
  Rng rng(2);
  const Tensor x = randn({3000, 70}, rng, f32);
  const Tensor all = sum(x, {0});
  for (const int64_t column : {0, 1, 31, 32, 69}) {
    CHECK(same_bits(sum(x.select(1, column).clone()), all.select(0, column)));
    CHECK(same_bits(sum(x.slice(1, column, column + 1), {0}), all.slice(0, column, column + 1)));
  }
}

TEST_CASE("a long sum has one order for any number of threads", "[reduce]") {
  // More than the longest piece that one thread sums alone, and not a multiple of it.
  constexpr int64_t length = 400 * kernels::sum_block + 77;
  Tensor x = empty({length}, f64);
  const double pattern[] = {1e16, 1, -1e16, 1};
  for (int64_t i = 0; i < length; ++i)
    x.pointer<double>()[i] = pattern[i % 4] * (1 + 1e-3 * static_cast<double>(i % 7));
  const Tensor expected = sum(x);
  CHECK(expected.item<double>() == kernels::sum_of(x.pointer<const double>(), length));
  Tensor spaced = full({length, 2}, NAN, f64).select(1, 0);
  spaced.copy_from(x);
  for (const int threads : {1, 2, 3, 4, 7, 8}) {
    const Threads guard(threads);
    for (int repeat = 0; repeat < 5; ++repeat) CHECK(same_bits(sum(x), expected));
    CHECK(same_bits(sum(spaced), expected));
  }
}

TEST_CASE("long f32 sums do not stick", "[reduce]") {
  // A running sum of ones stays at 16,777,216 in f32.
  CHECK(sum(ones({16781312}, f32)).item<float>() == 16781312.0f);
  const Tensor column_means = mean(ones({1, 2}, f32).expand({20000000, 2}), {0});
  CHECK(column_means.to_vector<float>() == std::vector<float>{1, 1});
}

TEST_CASE("sums over nothing are zero, means and maxima over nothing are refused", "[reduce]") {
  CHECK(sum(zeros({0}, f64)).item<double>() == 0);
  CHECK(values(sum(zeros({2, 0}, f64), {1})) == std::vector<double>{0, 0});
  CHECK(sum(zeros({2, 0}, f64), {0}).shape() == Shape{0});
  CHECK(values(sum(zeros({0, 3, 2}, f64).transpose(0, 2), {0, 2})) == std::vector<double>{0, 0, 0});
  CHECK(mean(zeros({0, 3}, f64), {1}).shape() == Shape{0});
  check_error([] { mean(zeros({2, 0}), {1}); }, {"mean", "[2, 0]"});
  check_error([] { max(zeros({2, 0}), {1}); }, {"max", "[2, 0]"});
  check_error([] { argmax(zeros({0, 2}), 0); }, {"argmax", "[0, 2]"});
  check_error([] { mean(arange(3)); }, {"mean", "i64"});
  check_error([] { sum(ones({2}, boolean)); }, {"sum", "bool"});
}

TEST_CASE("reduced axes disappear or stay as size one", "[reduce]") {
  const Tensor x = arange(24, f64).view({2, 3, 4});
  CHECK(sum(x).shape() == Shape{});
  CHECK(sum(x, {}, true).shape() == Shape{1, 1, 1});
  CHECK(sum(x, {1}).shape() == Shape{2, 4});
  CHECK(sum(x, {0, -1}, true).shape() == Shape{1, 3, 1});
  CHECK(values(sum(x, {0, 2})) == std::vector<double>{60, 92, 124});
  CHECK(values(max(x, {0, 2})) == std::vector<double>{15, 19, 23});
  CHECK(values(mean(x, {2, 1})) == std::vector<double>{5.5, 17.5});
  CHECK(argmax(x.transpose(0, 2), 0).to_vector<int64_t>() == std::vector<int64_t>(6, 3));
  CHECK(argmax(x, -1, true).shape() == Shape{2, 3, 1});
  CHECK(sum(arange(5)).item<int64_t>() == 10);
}

TEST_CASE("tied maxima share the gradient, and it is not multiplied", "[reduce]") {
  const Tensor x = leaf({2, 2, 1});
  CHECK(gradient(max(x), x) == std::vector<double>{0.5, 0.5, 0});
  const Tensor equal = leaf({1, 1, 1, 1});
  CHECK(gradient(-max(-equal), equal) == std::vector<double>(4, 0.25));
  const Tensor rows = from({{3.0, 3.0}, {1.0, 2.0}}).set_requires_grad(true);
  CHECK(gradient(max(rows, {1}), rows) == std::vector<double>{0.5, 0.5, 0, 1});
  CHECK(argmax(x, 0).item<int64_t>() == 0);
}

TEST_CASE("a NaN is the largest of its terms", "[reduce]") {
  const double nan = NAN;
  const Tensor x = from({{1.0, nan, 3.0}, {1.0, 2.0, 0.0}});
  const auto largest = values(max(x, {1}));
  CHECK(std::isnan(largest[0]));
  CHECK(largest[1] == 2);
  CHECK(argmax(x, 1).to_vector<int64_t>() == std::vector<int64_t>{1, 1});
  CHECK(values(max(full({3}, -INFINITY, f64)))[0] == -INFINITY);
}

}  // namespace headwise::testing
