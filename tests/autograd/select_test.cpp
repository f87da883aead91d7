// Comparisons and masks.
#include "tests/support/tensors.h"

namespace headwise::testing {

TEST_CASE("comparisons of numbers, infinities and NaN", "[select]") {
  for (const DType dtype : {f32, f64}) {
    const Tensor a = from<double>({1.0, 2.0, 2.0, -0.0, INFINITY, NAN, NAN}).to(dtype);
    const Tensor b = from<double>({2.0, 1.0, 2.0, 0.0, INFINITY, 1.0, NAN}).to(dtype);
    CHECK(same_bits(a == b, from({false, false, true, true, true, false, false})));
    CHECK(same_bits(a != b, from({true, true, false, false, false, true, true})));
    CHECK(same_bits(a < b, from({true, false, false, false, false, false, false})));
    CHECK(same_bits(a <= b, from({true, false, true, true, true, false, false})));
    CHECK(same_bits(a > b, from({false, true, false, false, false, false, false})));
    CHECK(same_bits(a >= b, from({false, true, true, true, true, false, false})));
  }
}

TEST_CASE("comparisons with a literal take the tensor's dtype", "[select]") {
  const Tensor n = from<int64_t>({1, 2, 3}), tenth = full({1}, 0.1, f32);
  CHECK(same_bits(n == 2, from({false, true, false})));
  CHECK(same_bits(n != 2, from({true, false, true})));
  CHECK(same_bits(n < 2, from({true, false, false})));
  CHECK(same_bits(n <= 2, from({true, true, false})));
  CHECK(same_bits(n > 2, from({false, false, true})));
  CHECK(same_bits(n >= 2, from({false, true, true})));
  CHECK(values(tenth == 0.1) == std::vector<double>{1});
}

TEST_CASE("masks combine with broadcasting and strides", "[select]") {
  const Tensor row = from({true, true, false}), column = from({true, false}).unsqueeze(1);
  CHECK(same_bits(logical_and(row, column), from({{true, true, false}, {false, false, false}})));
  CHECK(same_bits(logical_or(row, column), from({{true, true, true}, {true, true, false}})));
  const Tensor grid = logical_and(row, column).transpose(0, 1);
  CHECK(same_bits(logical_or(grid, !grid), ones({3, 2}, boolean)));
  CHECK(!logical_and(row, column).requires_grad());
}

TEST_CASE("any and all along axes and over nothing", "[select]") {
  const Tensor grid = from({{true, true, false}, {false, false, false}});
  CHECK(any(grid).item<bool>());
  CHECK(!all(grid).item<bool>());
  CHECK(same_bits(any(grid, {0}), from({true, true, false})));
  CHECK(same_bits(all(grid, {-1}), from({false, false})));
  CHECK(same_bits(all(!grid, {1}, true), from({{false}, {true}})));
  const Tensor nothing = zeros({0, 2}, boolean);
  CHECK(!any(nothing).item<bool>());
  CHECK(all(nothing).item<bool>());
  CHECK(same_bits(all(nothing, {0}), from({true, true})));
}

}  // namespace headwise::testing
