// Sums, means, products: bits that depend on the number of terms alone, long sums that do not stick, zeros
// among factors.
#include "headwise/autograd/kernels/sum.h"
#include "tests/support/tensors.h"
#include "tests/support/threads.h"

namespace headwise::testing {
namespace {

constexpr double infinity = INFINITY, nan = NAN;

// The same numbers in another layout: every axis order, spread out in memory or not.
std::vector<Tensor> layouts(const Tensor& x) {
  std::vector<Tensor> found{x};
  for (const auto& order : {std::array{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}})
    for (const int64_t gap : {1, 3}) {
      Shape inner;
      for (const int axis : order) inner.append(x.shape()[axis]);
      inner.append(gap);
      Tensor memory = full(inner, nan, x.dtype()).select(3, 0);
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
    for (const bool compensated : {false, true}) {
      const Tensor expected = sum(x, axes, {.compensated = compensated});
      for (const Tensor& y : layouts(x)) {
        CAPTURE(to_string(y.strides()), compensated);
        CHECK(same_bits(sum(y, axes, {.compensated = compensated}), expected));
      }
      for (const int threads : {2, 3, 4, 8}) {
        const Threads guard(threads);
        CHECK(same_bits(sum(x, axes, {.compensated = compensated}), expected));
      }
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
  Tensor spaced = full({length, 2}, nan, f64).select(1, 0);
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

TEST_CASE("sums over nothing are zero, means over nothing are refused", "[reduce]") {
  CHECK(sum(zeros({0}, f64)).item<double>() == 0);
  CHECK(values(sum(zeros({2, 0}, f64), {1})) == std::vector<double>{0, 0});
  CHECK(sum(zeros({2, 0}, f64), {0}).shape() == Shape{0});
  CHECK(values(sum(zeros({0, 3, 2}, f64).transpose(0, 2), {0, 2})) == std::vector<double>{0, 0, 0});
  CHECK(mean(zeros({0, 3}, f64), {1}).shape() == Shape{0});
  check_error([] { mean(zeros({2, 0}), {1}); }, {"mean", "[2, 0]"});
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
  CHECK(values(mean(x, {2, 1})) == std::vector<double>{5.5, 17.5});
  CHECK(sum(arange(5)).item<int64_t>() == 10);
}

TEST_CASE("a compensated sum keeps what cancellation would lose", "[reduce]") {
  // The exact sum is 2000; added one after another, all but the last 1 is lost.
  const Tensor x = from({1e16, 1.0, -1e16, 1.0}).expand({1000, 4}).reshape({4000}).set_requires_grad(true);
  const Tensor plain = sum(x);
  for (const int threads : {1, 2, 3, 4, 8}) {
    const Threads guard(threads);
    for (int repeat = 0; repeat < 20; ++repeat) {
      const Tensor y = sum(x, {.compensated = true});
      CHECK(y.item<double>() == 2000);
      CHECK(same_bits(sum(x), plain));
      CHECK(same_bits(grad(y, {x})[0], ones({4000}, f64)));
    }
  }
  // Over axes, in any layout: 1e8 swallows a third of a f32.
  const Tensor rows = from({{1e8f, 0.3f, -1e8f, 0.4f}, {0.5f, 1e8f, 1.0f, -1e8f}});
  const Tensor expected = from({0.3f + 0.4f, 1.5f});
  CHECK(same_bits(sum(rows, {1}, {.compensated = true}), expected));
  CHECK(same_bits(sum(rows.transpose(0, 1).clone(), {0}, {.compensated = true}), expected));
  CHECK(sum(rows, {-1}, {.keepdim = true}).shape() == Shape{2, 1});
  CHECK(sum(from<int64_t>({1, 2, 3}), {.compensated = true}).item<int64_t>() == 6);
  CHECK(sum(zeros({0}, f64), {.compensated = true}).item<double>() == 0);
}

TEST_CASE("a compensated sum is one for any number of threads and exact where it can be", "[reduce]") {
  // A long series whose large terms cancel in pairs far apart; the rest are multiples of 1/8.
  constexpr int64_t half = 150 * kernels::sum_block + 13;
  Tensor x = empty({2 * half}, f64);
  double exact = 0;
  for (int64_t i = 0; i < half; ++i) {
    x.pointer<double>()[i] = i % 2 ? 1e17 : static_cast<double>(i % 5) / 8;
    x.pointer<double>()[2 * half - 1 - i] = i % 2 ? -1e17 : 0.125;
    if (i % 2 == 0) exact += static_cast<double>(i % 5) / 8 + 0.125;
  }
  for (const int threads : {1, 2, 3, 4, 8}) {
    const Threads guard(threads);
    CHECK(sum(x, {.compensated = true}).item<double>() == exact);
  }
}

TEST_CASE("sums of infinities are what plain sums are, compensated or not", "[reduce]") {
  for (const bool compensated : {false, true}) {
    CHECK(sum(from({1.0, infinity, 2.0}), {.compensated = compensated}).item<double>() == infinity);
    CHECK(sum(from({-infinity, 1.0}), {.compensated = compensated}).item<double>() == -infinity);
    CHECK(std::isnan(sum(from({-infinity, infinity}), {.compensated = compensated}).item<double>()));
    CHECK(std::isnan(sum(from({1.0, nan}), {.compensated = compensated}).item<double>()));
  }
}

TEST_CASE("the derivatives of a product are right at zeros", "[reduce]") {
  using Values = std::vector<double>;
  auto product = [](const Tensor& x) { return prod(x); };
  auto slope = [&](const Tensor& x) { return values(jacobian(product, x)); };
  auto curvature = [&](const Tensor& x) { return values(hessian(product, x)); };
  // By hand: the product of the other terms.
  CHECK(slope(from({2.0, 5.0, 3.0})) == Values{15, 6, 10});
  CHECK(curvature(from({2.0, 5.0, 3.0})) == Values{0, 3, 5, 3, 0, 2, 5, 2, 0});
  CHECK(slope(from({2.0, 0.0, 3.0})) == Values{0, 6, 0});
  CHECK(curvature(from({2.0, 0.0, 3.0})) == Values{0, 3, 0, 3, 0, 2, 0, 2, 0});
  CHECK(slope(from({0.0, 5.0, 0.0})) == Values{0, 0, 0});
  CHECK(curvature(from({0.0, 5.0, 0.0})) == Values{0, 0, 5, 0, 0, 0, 5, 0, 0});
  CHECK(slope(zeros({3}, f64)) == Values(3, 0));
  CHECK(curvature(zeros({3}, f64)) == Values(9, 0));
}

TEST_CASE("products over any axes, lengths and layouts", "[reduce]") {
  const Tensor x = arange(24, i64).view({2, 3, 4}) + 1;
  CHECK(prod(x.slice(0, 0, 1)).item<int64_t>() == 479001600);  // 12!
  CHECK(prod(x, {-1}).to_vector<int64_t>() == std::vector<int64_t>{24, 1680, 11880, 43680, 116280, 255024});
  CHECK(prod(x.transpose(0, 2), {2, 0}, true).shape() == Shape{1, 3, 1});
  CHECK(same_bits(prod(x.transpose(0, 2), {2, 0}), prod(x, {0, 2})));
  for (int64_t n = 1; n <= 17; ++n) {
    int64_t factorial = 1;
    for (int64_t k = 2; k <= n; ++k) factorial *= k;
    CHECK(prod(arange(n) + 1).item<int64_t>() == factorial);
  }
  CHECK(prod(full({}, 3, f64)).item<double>() == 3);
  CHECK(prod(zeros({0}, f64)).item<double>() == 1);
  CHECK(values(prod(zeros({2, 0}, f64), {1})) == std::vector<double>{1, 1});
  CHECK(values(prod(zeros({0, 3}, f64), {0, 1})) == std::vector<double>{1});
  CHECK(prod(zeros({2, 0}, f64), {0}).shape() == Shape{0});
  const Tensor nothing = zeros({2, 0}, f64).set_requires_grad(true);
  CHECK(grad(prod(nothing), {nothing})[0].shape() == Shape{2, 0});
  // A result of its own, also where nothing is multiplied.
  const Tensor one = ones({1, 2}, f64);
  prod(one, {0}).fill(5);
  CHECK(values(one) == std::vector<double>{1, 1});
  CHECK(std::isnan(prod(from({0.0, nan})).item<double>()));
}

}  // namespace headwise::testing
