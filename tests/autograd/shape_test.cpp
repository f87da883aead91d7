// Shapes: what they hold, how two of them broadcast, and which axes they have.
#include "tests/support/tensors.h"

namespace headwise::testing {

TEST_CASE("a shape knows its sizes and prints them", "[shape]") {
  const Shape shape{2, 3, 4};
  CHECK(shape.rank() == 3);
  CHECK(shape.numel() == 24);
  CHECK(shape.back() == 4);
  CHECK(to_string(shape) == "[2, 3, 4]");
  CHECK(to_string(Shape{}) == "[]");
  CHECK(Shape{}.numel() == 1);
  CHECK(Shape{3, 0}.numel() == 0);
  CHECK_FALSE(Shape{2, 3} == Shape{2, 3, 1});
  CHECK_FALSE(Shape{2, 3} == Shape{3, 2});
}

TEST_CASE("a shape grows and shrinks at any axis up to the largest rank", "[shape]") {
  Shape shape{2, 3};
  shape.insert(1, 7);
  CHECK(shape == Shape{2, 7, 3});
  shape.append(5);
  CHECK(shape == Shape{2, 7, 3, 5});
  shape.erase(0);
  CHECK(shape == Shape{7, 3, 5});
  shape.erase(2);
  CHECK(shape == Shape{7, 3});

  Shape full{1, 1, 1, 1, 1, 1, 1, 1};
  check_error([&] { full.append(1); }, {"8"});
  CHECK(full.rank() == 8);
  check_error([] { Shape{1, 1, 1, 1, 1, 1, 1, 1, 1}; }, {"9 axes", "8"});
}

TEST_CASE("row-major strides", "[shape]") {
  CHECK(contiguous_strides({2, 3, 4}) == Strides{12, 4, 1});
  CHECK(contiguous_strides({}) == Strides{});
  CHECK(contiguous_strides({5, 1}) == Strides{1, 1});
}

TEST_CASE("broadcasting follows NumPy's rule", "[shape]") {
  struct Row {
    Shape a, b, result;
  };
  const Row rows[] = {{{2, 3}, {2, 3}, {2, 3}},       {{2, 1}, {3}, {2, 3}}, {{}, {4, 5}, {4, 5}},
                      {{1, 5}, {4, 1, 1}, {4, 1, 5}}, {{0}, {1}, {0}},       {{3, 1}, {1, 0}, {3, 0}},
                      {{2, 0, 3}, {1, 3}, {2, 0, 3}}};
  for (const auto& [a, b, result] : rows) {
    CHECK(broadcast_shapes("test", a, b) == result);
    CHECK(broadcast_shapes("test", b, a) == result);
  }
}

TEST_CASE("clashing shapes are refused with both shapes, both sizes and the axis", "[shape]") {
  check_error(
      [] {
        broadcast_shapes("add", {2, 3}, {2});
      },
      {"add", "[2, 3]", "[2]", "sizes 3 and 2", "axis -1"});
  check_error([] { broadcast_shapes("add", {2}, {2, 3}); }, {"sizes 2 and 3", "axis -1"});
  check_error([] { broadcast_shapes("add", {4, 2, 3}, {5, 1, 3}); }, {"sizes 4 and 5", "axis -3"});
  check_error([] { broadcast_shapes("add", {0}, {2}); }, {"sizes 0 and 2"});
}

TEST_CASE("axes count from either end", "[shape]") {
  CHECK(normalise_axis("sum", 1, {2, 3}) == 1);
  CHECK(normalise_axis("sum", -1, {2, 3}) == 1);
  CHECK(normalise_axis("sum", -2, {2, 3}) == 0);
  check_error([] { normalise_axis("sum", 2, {2, 3}); }, {"sum: axis 2 is out of range for shape [2, 3]"});
  check_error([] { normalise_axis("sum", -3, {2, 3}); }, {"axis -3"});
  check_error([] { normalise_axis("sum", 0, {}); }, {"axis 0", "[]"});
}

TEST_CASE("sizes that cannot be counted are refused", "[shape]") {
  constexpr int64_t huge = int64_t{1} << 40;
  CHECK(checked_numel("test", {3, 0, 5}) == 0);
  check_error([] { checked_numel("test", {2, -3}); }, {"test", "[2, -3]", "negative"});
  check_error([] { checked_numel("test", {huge, huge}); }, {"test", "more elements than can be counted"});
  check_error([] { empty({huge, huge}, f32); }, {"empty", "counted"});
  check_error([] { empty({huge, 64}, f32); }, {"empty", "too large"});
  check_error([] { empty({-1}, f32); }, {"empty", "[-1]", "negative"});
  // A product that wraps to the right number of elements is still wrong.
  check_error([] { zeros({0}).view({huge, huge}); }, {"view", "counted"});
  check_error([] { zeros({}).expand({huge, huge}); }, {"expand", "counted"});
}

}  // namespace headwise::testing
