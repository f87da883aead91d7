// Joining, cutting and rearranging: values by hand and by index arithmetic, what is a view and what a copy.
#include "tests/support/tensors.h"

namespace headwise::testing {
namespace {

std::vector<double> numbers(const Tensor& x) { return x.to_vector<double>(); }

using Values = std::vector<double>;

constexpr double inf = INFINITY, nan = NAN;

Tensor grid(const Shape& shape) { return arange(shape.numel(), f64).view(shape); }

bool shares_memory(const Tensor& a, const Tensor& b) { return a.data()->storage == b.data()->storage; }

// Every element of a matrix by its place.
template <class F>
Tensor matrix(int64_t rows, int64_t columns, F element) {
  Tensor y = empty({rows, columns}, f64);
  const auto out = y.mutable_values<double>();
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) out[static_cast<size_t>(i * columns + j)] = element(i, j);
  return y;
}
double at(const Tensor& x, int64_t i, int64_t j) { return x.select(0, i).select(0, j).item<double>(); }

}  // namespace

TEST_CASE("cat joins along any axis", "[arrange]") {
  const Tensor x = grid({2, 2}), y = grid({2, 1}) + 10.0;
  CHECK(numbers(cat({x, y}, 1)) == std::vector<double>{0, 1, 10, 2, 3, 11});
  CHECK(numbers(cat({x, y.transpose(0, 1)}, 0)) == std::vector<double>{0, 1, 2, 3, 10, 11});
  CHECK(numbers(cat({x.transpose(0, 1)}, -1)) == std::vector<double>{0, 2, 1, 3});
  check_error([&] { cat({x, y.to(f32)}, 1); }, {"cat", "f64", "f32"});
  check_error([&] { cat({x, y}, 0); }, {"cat", "[2, 2]", "[2, 1]"});
  check_error([&] { cat({x, grid({2})}, 0); }, {"cat", "[2]"});
  check_error([&] { cat({x, y}, 2); }, {"cat", "axis 2"});
}

TEST_CASE("stack lays tensors along a new axis", "[arrange]") {
  const Tensor x = grid({2, 2}), y = x.transpose(0, 1) + 10.0;
  CHECK(numbers(stack({x, y}, 0)) == Values{0, 1, 2, 3, 10, 12, 11, 13});
  CHECK(numbers(stack({x, y}, 1)) == Values{0, 1, 10, 12, 2, 3, 11, 13});
  CHECK(numbers(stack({x, y}, -1)) == Values{0, 10, 1, 12, 2, 11, 3, 13});
  CHECK(stack({full({}, 1, i64), full({}, 2, i64)}, 0).to_vector<int64_t>() == std::vector<int64_t>{1, 2});
  CHECK(stack({zeros({0, 3}), zeros({0, 3})}, 1).shape() == Shape{0, 2, 3});
}

TEST_CASE("split and chunk cut an axis into views", "[arrange]") {
  const Tensor x = grid({2, 5});
  const auto parts = split(x, {2, 0, 3}, 1);
  REQUIRE(parts.size() == 3);
  CHECK(numbers(parts[0]) == Values{0, 1, 5, 6});
  CHECK(parts[1].shape() == Shape{2, 0});
  CHECK(numbers(parts[2]) == Values{2, 3, 4, 7, 8, 9});
  for (const Tensor& part : parts) CHECK(shares_memory(part, x));

  auto lengths = [](const std::vector<Tensor>& pieces) {
    std::vector<int64_t> found;
    for (const Tensor& piece : pieces) found.push_back(piece.size(-1));
    return found;
  };
  using Lengths = std::vector<int64_t>;
  CHECK(lengths(split(x, 2, -1)) == Lengths{2, 2, 1});
  CHECK(lengths(split(x, 5, 1)) == Lengths{5});
  CHECK(lengths(split(x, int64_t{1} << 62, 1)) == Lengths{5});
  CHECK(numbers(split(x.transpose(0, 1), 3, 0)[1]) == Values{3, 8, 4, 9});
  const Tensor six = grid({6});
  CHECK(lengths(chunk(six, 3, 0)) == Lengths{2, 2, 2});
  CHECK(lengths(chunk(six, 4, 0)) == Lengths{2, 2, 2});
  CHECK(lengths(chunk(six, 5, 0)) == Lengths{2, 2, 2});
  CHECK(lengths(chunk(x, 2, 1)) == Lengths{3, 2});
  CHECK(lengths(chunk(x, 9, 1)) == Lengths{1, 1, 1, 1, 1});
  CHECK(shares_memory(chunk(six, 3, 0)[1], six));
  // Nothing, cut.
  CHECK(lengths(split(zeros({2, 0}), 3, 1)) == Lengths{0});
  CHECK(split(zeros({2, 0}), std::initializer_list<int64_t>{}, 1).empty());
  CHECK(lengths(chunk(zeros({2, 0}), 3, 1)) == Lengths{0, 0, 0});
  CHECK(numbers(cat(split(x, 2, 1), 1)) == numbers(x));
}

TEST_CASE("flip turns axes round, into a copy of ordinary strides", "[arrange]") {
  const Tensor x = grid({2, 3});
  CHECK(numbers(flip(x, {0})) == Values{3, 4, 5, 0, 1, 2});
  CHECK(numbers(flip(x, {-1})) == Values{2, 1, 0, 5, 4, 3});
  CHECK(numbers(flip(x)) == Values{5, 4, 3, 2, 1, 0});
  CHECK(numbers(flip(x.transpose(0, 1), {0})) == Values{2, 5, 1, 4, 0, 3});
  CHECK(numbers(flip(x.slice(1, 1, 3).slice(0, 1, 2), {0, 1})) == Values{5, 4});
  CHECK(numbers(flip(full({}, 7, f64).expand({2, 2}))) == Values{7, 7, 7, 7});
  CHECK(flip(x).is_contiguous());
  CHECK_FALSE(shares_memory(flip(x), x));
  CHECK(same_bits(flip(flip(x, {1}), {1}), x));
  CHECK(flip(zeros({0, 3}), {0, 1}).shape() == Shape{0, 3});
  CHECK(flip(full({}, 7, f64)).item<double>() == 7);
  CHECK(flip(from<int64_t>({1, 2}) == from<int64_t>({1, 3})).to_vector<bool>() ==
        std::vector<bool>{false, true});
}

TEST_CASE("roll moves elements round", "[arrange]") {
  const Tensor x = grid({5});
  CHECK(numbers(roll(x, {2}, {0})) == Values{3, 4, 0, 1, 2});
  CHECK(numbers(roll(x, {-1}, {0})) == Values{1, 2, 3, 4, 0});
  CHECK(numbers(roll(x, {17}, {-1})) == numbers(roll(x, {2}, {0})));
  CHECK(numbers(roll(x, {-10}, {0})) == numbers(x));
  CHECK_FALSE(shares_memory(roll(x, {0}, {0}), x));
  // One axis twice: the shifts add up.
  CHECK(numbers(roll(x, {1, 3}, {0, 0})) == numbers(roll(x, {4}, {0})));
  const Tensor y = grid({3, 4}), turned = y.transpose(0, 1);
  const Tensor both = roll(y, {1, -1}, {0, 1});
  for (int64_t i = 0; i < 3; ++i)
    for (int64_t j = 0; j < 4; ++j) CHECK(at(both, (i + 1) % 3, (j + 3) % 4) == at(y, i, j));
  CHECK(numbers(roll(turned, {1}, {1})) == numbers(roll(y, {1}, {0}).transpose(0, 1)));
  CHECK(roll(zeros({0, 2}), {3}, {0}).shape() == Shape{0, 2});
}

TEST_CASE("repeat tiles along old and new axes", "[arrange]") {
  const Tensor x = from({{1.0, 2.0}});
  CHECK(numbers(repeat(x, {2, 2})) == Values{1, 2, 1, 2, 1, 2, 1, 2});
  CHECK(repeat(x, {3, 1, 2}).shape() == Shape{3, 1, 4});
  CHECK(numbers(repeat(from({{1.0}, {2.0}}), {1, 2})) == Values{1, 1, 2, 2});
  CHECK(numbers(repeat(grid({2, 2}).transpose(0, 1), {2, 1})) == Values{0, 2, 1, 3, 0, 2, 1, 3});
  const Tensor y = grid({2, 3}), tiled = repeat(y, {3, 2});
  for (int64_t i = 0; i < 6; ++i)
    for (int64_t j = 0; j < 6; ++j) CHECK(at(tiled, i, j) == at(y, i % 2, j % 3));
  // As many axes as a tensor may have.
  CHECK(repeat(ones({1, 2, 1, 2, 1, 2, 1, 2}), {2, 2, 2, 2, 2, 2, 2, 2}).shape() ==
        Shape{2, 4, 2, 4, 2, 4, 2, 4});
  CHECK_FALSE(shares_memory(repeat(x, {1, 1}), x));
  CHECK(repeat(full({}, 3, f64), {4}).is_contiguous());
  CHECK(numbers(repeat(full({}, 3, f64), {})) == Values{3});
  CHECK(repeat(x, {0, 2}).shape() == Shape{0, 4});
  CHECK(repeat(zeros({0, 2}), {5, 2}).shape() == Shape{0, 4});
}

TEST_CASE("triangles are cut along any diagonal", "[arrange]") {
  for (const Shape& shape : {Shape{3, 3}, Shape{2, 5}, Shape{4, 2}}) {
    const Tensor x = grid(shape) + 1.0, turned = x.transpose(0, 1).contiguous().transpose(0, 1);
    for (int64_t diagonal = -6; diagonal <= 6; ++diagonal) {
      CAPTURE(to_string(shape), diagonal);
      const Tensor lower = matrix(
          shape[0], shape[1], [&](int64_t i, int64_t j) { return j - i <= diagonal ? at(x, i, j) : 0.0; });
      const Tensor upper = matrix(
          shape[0], shape[1], [&](int64_t i, int64_t j) { return j - i >= diagonal ? at(x, i, j) : 0.0; });
      CHECK(same_bits(tril(x, diagonal), lower));
      CHECK(same_bits(triu(x, diagonal), upper));
      CHECK(same_bits(tril(turned, diagonal), lower));
    }
  }
  const Tensor batch = ones({2, 3, 2, 2});
  CHECK(same_bits(tril(batch).select(0, 1).select(0, 2), from({{1.0f, 0.0f}, {1.0f, 1.0f}})));
  CHECK(triu(zeros({3, 0})).shape() == Shape{3, 0});
  CHECK(tril(zeros({0, 2, 2})).shape() == Shape{0, 2, 2});
  CHECK(tril(from<int64_t>({{1, 2}, {3, 4}})).to_vector<int64_t>() == std::vector<int64_t>{1, 0, 3, 4});
  CHECK(numbers(triu(grid({2, 2}), std::numeric_limits<int64_t>::min())) == Values{0, 1, 2, 3});
  CHECK(numbers(triu(grid({2, 2}), std::numeric_limits<int64_t>::max())) == Values{0, 0, 0, 0});
}

TEST_CASE("what a triangle hides poisons nothing", "[arrange]") {
  const Tensor x = from({{1.0, nan}, {2.0, inf}}).set_requires_grad(true);
  const Tensor y = tril(x, -1);
  CHECK(numbers(y.detach()) == Values{0, 0, 2, 0});
  backward(sum(y * y));
  CHECK(numbers(x.grad()) == Values{0, 0, 4, 0});
}

}  // namespace headwise::testing
