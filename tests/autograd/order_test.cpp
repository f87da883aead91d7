// Sorting: stable, NaN last, along any axis of any view; the k best are the first of the sorted.
#include <algorithm>
#include <numeric>

#include "tests/support/tensors.h"

namespace headwise::testing {
namespace {

using Values = std::vector<double>;
constexpr double infinity = INFINITY, nan = NAN;
using Indices = std::vector<int64_t>;

Indices indices(const Tensor& x) { return x.to_vector<int64_t>(); }

// The order of a line, by the standard library.
Indices stable_order(const Values& line, bool descending) {
  Indices order(line.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    const double x = line[static_cast<size_t>(a)], y = line[static_cast<size_t>(b)];
    return descending ? x > y : x < y;
  });
  return order;
}

}  // namespace

TEST_CASE("equal elements keep their order, rising and falling", "[order]") {
  const Tensor x = from({2.0, 1.0, 2.0, 3.0, 1.0, 2.0});
  CHECK(indices(argsort(x, 0)) == Indices{1, 4, 0, 2, 5, 3});
  CHECK(indices(argsort(x, 0, {.descending = true})) == Indices{3, 0, 2, 5, 1, 4});
  const Indexed sorted = sort(x, 0);
  CHECK(values(sorted.values) == Values{1, 1, 2, 2, 2, 3});
  CHECK(indices(sorted.indices) == Indices{1, 4, 0, 2, 5, 3});
  // The two zeros are equal.
  CHECK(indices(argsort(from({0.0, -0.0, -1.0}), 0)) == Indices{2, 0, 1});
  CHECK(indices(sort(from<int64_t>({5, -3, 5, 0}), 0, {.descending = true}).values) == Indices{5, 5, 0, -3});
}

TEST_CASE("NaN comes last in either order", "[order]") {
  const Tensor x = from({nan, 1.0, infinity, nan, -infinity});
  CHECK(indices(argsort(x, 0)) == Indices{4, 1, 2, 0, 3});
  CHECK(indices(argsort(x, 0, {.descending = true})) == Indices{2, 1, 4, 0, 3});
  CHECK(indices(topk(x, 4, 0).indices) == Indices{2, 1, 4, 0});
  CHECK(indices(topk(x, 2, 0, {.largest = false}).indices) == Indices{4, 1});
}

TEST_CASE("sorting along any axis of any view", "[order]") {
  Rng rng(1);
  Tensor base = empty({6, 9, 7}, f64);
  for (double& v : base.mutable_values<double>()) v = static_cast<double>(rng.below(5));  // many ties
  for (const Tensor& x : {base, base.transpose(0, 2), base.permute({1, 2, 0}), base.slice(1, 2, 8)})
    for (int axis = 0; axis < 3; ++axis)
      for (const bool descending : {false, true}) {
        CAPTURE(axis, descending, to_string(x.strides()));
        const Indexed sorted = sort(x, axis, {.descending = descending});
        CHECK(same_bits(sorted.indices, argsort(x, axis, {.descending = descending})));
        CHECK(same_bits(sorted.values, gather(x, axis, sorted.indices)));
        const Tensor lines = x.transpose(axis, -1).contiguous().view({-1, x.size(axis)});
        const Tensor found = sorted.indices.transpose(axis, -1).contiguous().view(lines.shape());
        for (int64_t i = 0; i < lines.size(0); ++i)
          CHECK(indices(found.select(0, i)) == stable_order(values(lines.select(0, i)), descending));
        for (const int64_t k : {0, 1, 3}) {
          const Indexed best = topk(x, k, axis, {.largest = descending});
          CHECK(same_bits(best.indices, sorted.indices.slice(axis, 0, k)));
          CHECK(same_bits(best.values, sorted.values.slice(axis, 0, k)));
        }
      }
}

TEST_CASE("the gradient of a sorted value goes to where it came from", "[order]") {
  const Tensor x = from({3.0, 1.0, 2.0}).set_requires_grad(true);
  const Tensor cotangent = from({10.0, 20.0, 30.0});
  CHECK(values(grad(std::vector{sort(x, 0).values}, std::vector{x}, std::vector{cotangent})[0]) ==
        Values{30, 10, 20});
  const Tensor ties = from({1.0, 4.0, 4.0, 4.0}).set_requires_grad(true);
  CHECK(values(grad(sum(topk(ties, 2, 0).values), {ties})[0]) == Values{0, 1, 1, 0});
  CHECK_FALSE(sort(x, 0).indices.requires_grad());
  CHECK_FALSE(argsort(x, 0).requires_grad());
}

TEST_CASE("nothing to sort", "[order]") {
  CHECK(sort(zeros({0}), 0).values.shape() == Shape{0});
  CHECK(sort(zeros({2, 0}), 1).indices.shape() == Shape{2, 0});
  CHECK(sort(zeros({0, 3}), 1).values.shape() == Shape{0, 3});
  CHECK(topk(zeros({2, 3}), 0, 1).values.shape() == Shape{2, 0});
  CHECK(topk(zeros({2, 0}), 0, 1).indices.shape() == Shape{2, 0});
  check_error([] { topk(zeros({2, 0}), 1, 1); }, {"topk", "k = 1", "size 0"});
}

}  // namespace headwise::testing
