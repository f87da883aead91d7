// Views: the rules of NumPy and PyTorch, checked against plain index arithmetic.
#include <optional>

#include "tests/support/tensors.h"

namespace headwise::testing {
namespace {

std::vector<double> numbers(const Tensor& x) { return x.to_vector<double>(); }

Tensor grid(const Shape& shape) { return arange(shape.numel(), f64).view(shape); }

// Where each element lies in memory, in row-major order of the indices.
std::vector<int64_t> offsets(const Shape& shape, const Strides& strides) {
  std::vector<int64_t> found{0};
  for (int axis = 0; axis < shape.rank(); ++axis) {
    std::vector<int64_t> next;
    for (const int64_t base : found)
      for (int64_t i = 0; i < shape[axis]; ++i) next.push_back(base + i * strides[axis]);
    found = std::move(next);
  }
  return found;
}

// Whether some strides let the same memory be read as `shape`: if so, each stride is the distance between the
// first element and its neighbour along that axis.
bool view_exists(const Tensor& x, const Shape& shape) {
  const auto wanted = offsets(x.shape(), x.strides());
  Strides strides = shape;
  int64_t step = 1;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    strides[axis] = shape[axis] > 1 ? wanted[static_cast<size_t>(step)] - wanted[0] : 0;
    step *= shape[axis];
  }
  return offsets(shape, strides) == wanted;
}

// All shapes of `numel` elements with up to `rank` axes.
void add_shapes(int64_t numel, int rank, const Shape& start, std::vector<Shape>& found) {
  if (numel == 1) found.push_back(start);
  if (rank == 0) return;
  for (int64_t size = 1; size <= numel; ++size)
    if (numel % size == 0) {
      Shape longer = start;
      longer.append(size);
      add_shapes(numel / size, rank - 1, longer, found);
    }
}

}  // namespace

TEST_CASE("view is allowed exactly where some strides exist, and reshape copies elsewhere", "[views]") {
  const Tensor base = grid({2, 3, 4});
  const Tensor sources[] = {base,
                            base.transpose(0, 1),
                            base.transpose(1, 2),
                            base.permute({2, 0, 1}),
                            base.slice(2, 0, 2),
                            base.slice(1, 1, 3),
                            base.slice(0, 1, 2),
                            base.slice(1, 0, 1).transpose(0, 2),
                            base.select(1, 2),
                            grid({6, 1}).expand({6, 4}),
                            grid({4}).expand({6, 4}),
                            grid({2, 1, 3}).expand({2, 4, 3}),
                            base.view({2, 1, 3, 4}).slice(2, 0, 2),
                            base.unsqueeze(1).slice(2, 1, 3).slice(3, 0, 2)};
  int views = 0, copies = 0;
  for (const Tensor& x : sources) {
    std::vector<Shape> shapes;
    add_shapes(x.numel(), 4, {}, shapes);
    for (const Shape& shape : shapes) {
      CAPTURE(to_string(x.shape()), to_string(x.strides()), to_string(shape));
      const Tensor reshaped = x.reshape(shape);
      CHECK(reshaped.shape() == shape);
      CHECK(numbers(reshaped) == numbers(x));
      if (view_exists(x, shape)) {
        ++views;
        CHECK(numbers(x.view(shape)) == numbers(x));
        CHECK(x.view(shape).data()->storage == x.data()->storage);
        CHECK(reshaped.data()->storage == x.data()->storage);
      } else {
        ++copies;
        check_error([&] { x.view(shape); }, {"view", "without copying", "reshape"});
      }
    }
  }
  CHECK(views > 100);
  CHECK(copies > 100);
}

TEST_CASE("one size of a view may be left open", "[views]") {
  const Tensor x = grid({2, 6});
  CHECK(x.view({-1}).shape() == Shape{12});
  CHECK(x.view({3, -1, 2}).shape() == Shape{3, 2, 2});
  CHECK(zeros({0, 3}).view({-1, 3}).shape() == Shape{0, 3});
  check_error([&] { x.view({5, -1}); }, {"view", "[2, 6]", "12", "[5, -1]"});
  check_error([&] { x.view({-1, -1}); }, {"view", "at most one -1"});
  check_error([&] { x.view({-2, -6}); }, {"view", "[-2, -6]"});
  check_error([&] { x.reshape({7}); }, {"reshape", "[2, 6]", "[7]"});
}

TEST_CASE("transpose and permute reorder axes without a copy", "[views]") {
  const Tensor x = grid({2, 3, 4});
  const Tensor y = x.permute({2, 0, -2});
  CHECK(y.shape() == Shape{4, 2, 3});
  CHECK(y.data()->storage == x.data()->storage);
  for (int64_t i = 0; i < 4; ++i)
    for (int64_t j = 0; j < 2; ++j)
      for (int64_t k = 0; k < 3; ++k)
        CHECK(y.select(0, i).select(0, j).select(0, k).item<double>() ==
              static_cast<double>(j * 12 + k * 4 + i));
  CHECK(same_bits(x.transpose(0, 2), x.permute({2, 1, 0})));
  CHECK(same_bits(x.transpose(-1, -2).transpose(1, 2), x));
  check_error([&] { x.permute({0, 1, 3}); }, {"permute", "axis 3", "[2, 3, 4]"});
  check_error([&] { x.permute({0, 1, -2}); }, {"permute", "twice"});
  check_error([&] { x.transpose(0, 3); }, {"transpose", "axis 3"});
}

TEST_CASE("slices clip and count from the end as in NumPy", "[views]") {
  const Tensor x = grid({5});
  const auto cut = [&](int64_t start, int64_t stop) { return numbers(x.slice(0, start, stop)); };
  CHECK(cut(1, 3) == std::vector<double>{1, 2});
  CHECK(cut(-2, 5) == std::vector<double>{3, 4});
  CHECK(cut(0, -1) == std::vector<double>{0, 1, 2, 3});
  CHECK(cut(-100, 100) == std::vector<double>{0, 1, 2, 3, 4});
  CHECK(cut(3, 1).empty());
  CHECK(cut(5, 9).empty());
  CHECK(cut(-9, -7).empty());
  const Tensor matrix = grid({3, 4});
  CHECK(numbers(matrix.slice(-1, 1, 3).slice(0, 2, 3)) == std::vector<double>{9, 10});
  CHECK(numbers(matrix.select(1, -1)) == std::vector<double>{3, 7, 11});
  CHECK(numbers(matrix.select(-2, 1)) == std::vector<double>{4, 5, 6, 7});
  check_error([&] { matrix.select(1, 4); }, {"select", "index 4", "axis 1", "[3, 4]"});
  check_error([&] { matrix.select(0, -4); }, {"select", "index -4"});
  check_error([&] { zeros({0}).select(0, 0); }, {"select", "index 0", "[0]"});
}

TEST_CASE("expand repeats axes of size one and nothing else", "[views]") {
  const Tensor x = from({{1.0}, {2.0}});
  CHECK(numbers(x.expand({2, 3})) == std::vector<double>{1, 1, 1, 2, 2, 2});
  CHECK(numbers(x.expand({2, 2, 1})) == std::vector<double>{1, 2, 1, 2});
  CHECK(x.expand({2, 1000000}).data()->storage == x.data()->storage);
  CHECK(x.expand({2, 0}).numel() == 0);
  CHECK(full({}, 3, f64).expand({2}).to_vector<double>() == std::vector<double>{3, 3});
  check_error([&] { x.expand({3, 3}); }, {"expand", "[2, 1]", "[3, 3]"});
  check_error([&] { x.expand({2}); }, {"expand", "[2, 1]", "[2]"});
  check_error([&] { x.expand({1, 3}); }, {"expand"});
}

TEST_CASE("axes of size one come and go", "[views]") {
  const Tensor x = grid({2, 3});
  CHECK(x.unsqueeze(0).shape() == Shape{1, 2, 3});
  CHECK(x.unsqueeze(-1).shape() == Shape{2, 3, 1});
  CHECK(x.unsqueeze(1).squeeze(1).shape() == Shape{2, 3});
  CHECK(numbers(x.transpose(0, 1).unsqueeze(1)) == numbers(x.transpose(0, 1)));
  check_error([&] { x.unsqueeze(3); }, {"unsqueeze", "axis 3", "[2, 3]"});
  check_error([&] { x.unsqueeze(-4); }, {"unsqueeze", "axis -4"});
  check_error([&] { x.squeeze(0); }, {"squeeze", "axis 0", "size 2"});
}

TEST_CASE("views of nothing are defined", "[views]") {
  const Tensor x = zeros({2, 0, 3});
  CHECK(x.view({0}).shape() == Shape{0});
  CHECK(x.transpose(0, 2).reshape({3, 2, 0}).shape() == Shape{3, 2, 0});
  CHECK(x.slice(0, 0, 1).shape() == Shape{1, 0, 3});
  CHECK(x.select(2, 1).shape() == Shape{2, 0});
  CHECK(x.contiguous().is_contiguous());
  check_error([&] { x.view({1}); }, {"view", "[2, 0, 3]", "[1]"});
}

}  // namespace headwise::testing
