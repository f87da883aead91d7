// allclose: which elements are close by NumPy's rule, and what is said of those that are not.
#include <limits>

#include "tests/support/tensors.h"

namespace headwise::testing {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = INFINITY;

bool close(double a, double b, const AllcloseOptions& options = {}) {
  return static_cast<bool>(allclose(full({}, a, f64), full({}, b, f64), options));
}

}  // namespace

TEST_CASE("elements are close within atol + rtol times the second", "[compare]") {
  CHECK(close(1, 1));
  CHECK(close(1e10, 1.00001e10));  // these six are NumPy's documented examples and their neighbours
  CHECK_FALSE(close(1e10, 1.00002e10));
  CHECK(close(1e-8, 1e-9));
  CHECK_FALSE(close(1e-7, 1e-8));
  CHECK(close(1.5, 1, {.rtol = 0, .atol = 0.5}));
  CHECK_FALSE(close(1.5, 1, {.rtol = 0, .atol = 0.49}));
  // Relative to the second: 0.5 is a third of 1.5 and half of 1.
  CHECK(close(1, 1.5, {.rtol = 0.34, .atol = 0}));
  CHECK_FALSE(close(1.5, 1, {.rtol = 0.34, .atol = 0}));
  CHECK(close(1.5, 1, {.rtol = 0.34, .atol = 0, .floor = 1.5}));
  CHECK(close(-0.0, 0.0, {.rtol = 0, .atol = 0}));
}

TEST_CASE("an infinity is close to itself alone, a NaN only on request", "[compare]") {
  CHECK(close(inf, inf));
  CHECK_FALSE(close(inf, -inf));
  CHECK_FALSE(close(1, inf));
  CHECK_FALSE(close(inf, 1, {.rtol = 1, .atol = 1e300}));
  CHECK_FALSE(close(1.7e308, -1.7e308));
  CHECK_FALSE(close(nan, nan));
  CHECK(close(nan, nan, {.equal_nan = true}));
  CHECK_FALSE(close(nan, 1, {.rtol = 1, .atol = 1e300, .equal_nan = true}));
  CHECK_FALSE(close(inf, nan, {.equal_nan = true}));

  const Comparison found = allclose(from({1.0, nan}), from({1.0, 2.0}));
  CHECK(found.worst_absolute == inf);
  CHECK(found.worst_relative == inf);
  CHECK(found.differing == 1);
}

TEST_CASE("a comparison tells the worst errors, close or not", "[compare]") {
  const Comparison found = allclose(from({1.0, 2.5, 100.0}), from({1.0, 2.0, 99.0}), {.rtol = 0.02});
  CHECK_FALSE(found);
  CHECK(found.elements == 3);
  CHECK(found.differing == 1);
  CHECK(found.worst_absolute == 1);
  CHECK(found.worst_relative == 0.25);
  REQUIRE(found.worst.size() == 1);
  CHECK(found.worst[0].index == Shape{1});
  CHECK(std::get<double>(found.worst[0].a) == 2.5);
  CHECK(std::get<double>(found.worst[0].b) == 2);
  CHECK(found.worst[0].absolute == 0.5);
  CHECK(found.worst[0].relative == 0.25);

  CHECK(allclose(from({0.5}), from({0.0}), {.atol = 1}).worst_relative == inf);
  CHECK(allclose(from({0.5}), from({0.0}), {.atol = 1, .floor = 2}).worst_relative == 0.25);
  CHECK(allclose(zeros({0, 3}), zeros({0, 3})).close);
}

TEST_CASE("the elements furthest outside their tolerance come first", "[compare]") {
  // Errors of 0.5 on values 1, 2, ..., 12: the smallest value has the largest relative error.
  const Tensor b = (arange(12, f64) + 1.0).view({3, 4}), a = b + 0.5;
  const Comparison found = allclose(a, b, {.rtol = 0.01, .atol = 0});
  CHECK(found.differing == 12);
  REQUIRE(found.worst.size() == 9);
  for (int64_t i = 0; i < 9; ++i) CHECK(found.worst[static_cast<size_t>(i)].index == Shape{i / 4, i % 4});

  // Without a tolerance the absolute error decides, and then the place.
  const Comparison exact = allclose(from({1.0, 5.0, 1.0, 1.0}), zeros({4}, f64), {.rtol = 0, .atol = 0});
  REQUIRE(exact.worst.size() == 4);
  CHECK(exact.worst[0].index == Shape{1});
  CHECK(exact.worst[1].index == Shape{0});
  CHECK(exact.worst[3].index == Shape{3});
}

TEST_CASE("strided tensors are compared element by element", "[compare]") {
  Rng rng(1);
  const Tensor x = randn({3, 4, 5}, rng).transpose(0, 2);
  CHECK(allclose(x, x.clone(), {.rtol = 0, .atol = 0}));
  Tensor other = x.clone();
  other.select(0, 4).select(0, 2).slice(0, 1, 2).fill(100);
  const Comparison found = allclose(other, x);
  REQUIRE(found.worst.size() == 1);
  CHECK(found.worst[0].index == Shape{4, 2, 1});
  const Tensor row = from({1.0, 2.0, 3.0}), rows = row.expand({200000, 3});
  CHECK(allclose(rows, rows.clone()));
  CHECK(allclose(rows, row.view({3, 1}).expand({3, 200000}).transpose(0, 1)));
  CHECK(allclose(rows, zeros({200000, 3}, f64)).worst[8].index == Shape{8, 2});
}

TEST_CASE("integers and booleans are compared exactly", "[compare]") {
  const int64_t large = int64_t{1} << 53;
  const Comparison found = allclose(from({large + 1, 3L}), from({large, 3L}), {.rtol = 0, .atol = 0});
  CHECK(found.differing == 1);
  CHECK(found.worst_absolute == 1);
  CHECK(std::get<int64_t>(found.worst.at(0).a) == large + 1);
  const int64_t lowest = std::numeric_limits<int64_t>::min(), highest = std::numeric_limits<int64_t>::max();
  CHECK(allclose(from({lowest}), from({highest})).worst_absolute == std::ldexp(1, 64));
  CHECK(allclose(from({true, false}), from({true, true})).differing == 1);
  CHECK(allclose(from({true, false}), from({true, false})));
}

TEST_CASE("tensors that cannot be compared are not close, and it is said why", "[compare]") {
  CHECK(to_string(allclose(zeros({2}), zeros({3}))) == "not close: the shapes [2] and [3] differ");
  CHECK(to_string(allclose(zeros({2}), zeros({2}, f64))) == "not close: the dtypes f32 and f64 differ");
  CHECK(to_string(allclose(Tensor(), zeros({2}))) == "not close: the first tensor is undefined");
  CHECK(to_string(allclose(zeros({2}), Tensor())) == "not close: the second tensor is undefined");
  CHECK(to_string(allclose(Tensor(), Tensor())) == "not close: both tensors are undefined");
  const Comparison found = allclose(zeros({2}), zeros({3}));
  CHECK_FALSE(found);
  CHECK(found.worst_absolute == inf);
  CHECK(found.elements == 0);
}

TEST_CASE("tolerances out of range are refused", "[compare]") {
  const Tensor x = zeros({2});
  check_error([&] { allclose(x, x, {.rtol = -1}); }, {"allclose", "rtol", "-1"});
  check_error([&] { allclose(x, x, {.atol = nan}); }, {"allclose", "atol", "nan"});
  check_error([&] { allclose(x, x, {.floor = inf}); }, {"allclose", "floor", "inf"});
}

TEST_CASE("the report holds the verdict and the worst elements in ten lines", "[compare]") {
  const Tensor a = from({{1.0f, 2.5f}, {0.1f, -1.0f}}), b = from({{1.0f, 2.0f}, {0.0f, -1.0f}});
  CHECK(fmt::format("{}", allclose(a, b, {.rtol = 0.01, .atol = 0.05})) ==
        "2 of 4 elements differ (rtol 0.01, atol 0.05); worst error 0.5, relative inf\n"
        "  [0, 1]: 2.5 and 2, error 0.5, relative 0.25\n"
        "  [1, 0]: 0.1 and 0, error 0.1, relative inf");
  CHECK(to_string(allclose(a, a)) ==
        "0 of 4 elements differ (rtol 1e-05, atol 1e-08); worst error 0, relative 0");
  const std::string report = to_string(allclose(ones({1000}), zeros({1000})));
  CHECK(std::count(report.begin(), report.end(), '\n') == 9);
}

TEST_CASE("a failed check_close would show the report", "[compare]") {
  const Comparison found = compared(from({1.0f, 3.0f}), from({1.0, 2.0}), 0.1);
  CHECK_FALSE(found);
  CHECK(Catch::Detail::stringify(found) == to_string(found));
  CHECK(worst_error(from({1.0f, 3.0f}), from({1.0, 2.0})) == 0.5);
  CHECK(worst_error(from({0.5}), from({0.25})) == 0.25);  // relative to 1, not to 0.25
  CHECK(worst_error(from({nan}), from({nan})) == 0);
  CHECK(worst_error(from({nan}), from({1.0})) == inf);
  CHECK(worst_error(zeros({2}), zeros({3})) == inf);
}

}  // namespace headwise::testing
