// Tensors: values, dtypes, shared memory, and the few changes in place.
#include "tests/support/tensors.h"

namespace headwise::testing {

TEST_CASE("tensors are made from values, constants and counts", "[tensor]") {
  CHECK(from({1.5, 2.5}).dtype() == f64);
  CHECK(from({1.5f}).dtype() == f32);
  CHECK(from<int64_t>({1, 2}).dtype() == i64);
  CHECK(from({true, false}).dtype() == boolean);
  const Tensor matrix = from({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}});
  CHECK(matrix.shape() == Shape{2, 3});
  CHECK(matrix.to_vector<double>() == std::vector<double>{1, 2, 3, 4, 5, 6});
  CHECK(arange(3).to_vector<int64_t>() == std::vector<int64_t>{0, 1, 2});
  CHECK(arange(0).numel() == 0);
  CHECK(full({2}, 7, f32).to_vector<float>() == std::vector<float>{7, 7});
  CHECK(zeros({2, 2}).dtype() == f32);
  CHECK(ones({2}, boolean).to_vector<bool>() == std::vector<bool>{true, true});
  CHECK(full({}, 3, f64).item<double>() == 3);
  CHECK_FALSE(Tensor().defined());

  check_error([] { from({{1.0, 2.0}, {3.0}}); }, {"2", "1", "matrix"});
  check_error([] { from_values<double>(std::vector{1.0, 2.0}, {3}); }, {"[3]", "3 elements", "2 values"});
  check_error([] { arange(-1); }, {"arange", "-1"});
  Rng rng(1);
  check_error([&] { randn({2}, rng, i64); }, {"randn", "i64"});
}

TEST_CASE("elements are read with their own type alone", "[tensor]") {
  const Tensor x = from({{1.0, 2.0}, {3.0, 4.0}});
  check_error([&] { x.to_vector<float>(); }, {"to_vector", "f32", "f64"});
  check_error([&] { x.item<double>(); }, {"item", "[2, 2]"});
  check_error([&] { x.transpose(0, 1).values<double>(); }, {"values", "[2, 2]", "contiguous"});
  CHECK(x.transpose(0, 1).to_vector<double>() == std::vector<double>{1, 3, 2, 4});
  CHECK(x.values<double>()[3] == 4);
  CHECK(x.size(-1) == 2);
  check_error([&] { x.size(2); }, {"size", "axis 2"});
}

TEST_CASE("copies of a handle share memory, clones do not", "[tensor]") {
  Tensor x = from({1.0, 2.0});
  Tensor same = x;
  const Tensor detached = x.detach(), copy = x.clone(), converted = x.to(f32);
  same.fill(9);
  CHECK(x.to_vector<double>() == std::vector<double>{9, 9});
  CHECK(detached.to_vector<double>() == std::vector<double>{9, 9});
  CHECK(copy.to_vector<double>() == std::vector<double>{1, 2});
  CHECK(converted.to_vector<float>() == std::vector<float>{1, 2});
  CHECK(x.to(f64).data() == x.data());
  CHECK(x.contiguous().data() == x.data());
}

TEST_CASE("dtypes convert on request and never by themselves", "[tensor]") {
  const Tensor x = from({0.0, -1.75, 2.0});
  CHECK(x.to(i64).to_vector<int64_t>() == std::vector<int64_t>{0, -1, 2});
  CHECK(x.to(boolean).to_vector<bool>() == std::vector<bool>{false, true, true});
  CHECK(x.to(boolean).to(f32).to_vector<float>() == std::vector<float>{0, 1, 1});
  check_error([&] { x + x.to(f32); }, {"add", "f64", "f32"});
  check_error([&] { static_cast<void>(x == x.to(f32)); }, {"f64", "f32"});

  const Tensor n = from<int64_t>({1, 2});
  CHECK((n * 3.0).to_vector<int64_t>() == std::vector<int64_t>{3, 6});
  check_error([&] { n * 0.5; }, {"0.5", "i64"});
  check_error([&] { static_cast<void>(n <= 0.5); }, {"0.5", "i64"});
  check_error([&] { n.clone().fill(0.5); }, {"0.5", "i64"});
}

TEST_CASE("changes in place write through views and raise the version of all of them", "[tensor]") {
  Tensor x = zeros({2, 3}, f64);
  const Tensor other_view = x.transpose(0, 1);
  const uint32_t before = other_view.version();
  x.select(0, 1).fill(5);
  CHECK(x.to_vector<double>() == std::vector<double>{0, 0, 0, 5, 5, 5});
  CHECK(other_view.version() == before + 1);
  x.slice(1, 0, 1).copy_from(from({{1.0}, {2.0}}));
  CHECK(x.to_vector<double>() == std::vector<double>{1, 0, 0, 2, 5, 5});
  x.copy_from(from({7.0, 8.0, 9.0}));
  CHECK(x.to_vector<double>() == std::vector<double>{7, 8, 9, 7, 8, 9});
  x.add_scaled(ones({2, 3}, f64), -2);
  CHECK(x.to_vector<double>() == std::vector<double>{5, 6, 7, 5, 6, 7});
  x.mutable_values<double>()[0] = 0.5;
  CHECK(other_view.select(0, 0).to_vector<double>() == std::vector<double>{0.5, 5});
  CHECK(other_view.version() == before + 5);
}

TEST_CASE("a change in place reads its source before it overwrites it", "[tensor]") {
  auto grid = [] { return from({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}, {7.0, 8.0, 9.0}}); };
  SECTION("shifted") {
    Tensor x = arange(6, f64);
    x.slice(0, 1, 6).copy_from(x.slice(0, 0, 5));
    CHECK(x.to_vector<double>() == std::vector<double>{0, 0, 1, 2, 3, 4});
  }
  SECTION("transposed") {
    Tensor x = grid();
    x.copy_from(x.transpose(0, 1));
    CHECK(x.to_vector<double>() == std::vector<double>{1, 4, 7, 2, 5, 8, 3, 6, 9});
  }
  SECTION("added") {
    Tensor x = grid();
    x.add_scaled(x.transpose(0, 1), 1);
    CHECK(x.to_vector<double>() == std::vector<double>{2, 6, 10, 6, 10, 14, 10, 14, 18});
  }
  SECTION("one row over all") {
    Tensor x = grid();
    x.copy_from(x.slice(0, 1, 2));
    CHECK(x.to_vector<double>() == std::vector<double>{4, 5, 6, 4, 5, 6, 4, 5, 6});
  }
  SECTION("onto itself") {
    Tensor x = grid();
    x.add_scaled(x, 1);
    CHECK(x.to_vector<double>() == std::vector<double>{2, 4, 6, 8, 10, 12, 14, 16, 18});
  }
}

TEST_CASE("refused changes in place change nothing, the version included", "[tensor]") {
  Tensor x = from({{1.0, 2.0}, {3.0, 4.0}});
  const uint32_t before = x.version();
  check_error([&] { x.copy_from(ones({3}, f64)); }, {"copy_from", "[3]", "[2, 2]"});
  check_error([&] { x.copy_from(ones({2, 2, 2}, f64)); }, {"copy_from", "[2, 2, 2]"});
  check_error([&] { x.copy_from(ones({2, 2}, f32)); }, {"copy_from", "f64", "f32"});
  check_error([&] { x.add_scaled(ones({2}, f64), 1); }, {"add_scaled", "[2, 2]", "[2]"});
  check_error([&] { x.add_scaled(ones({2, 2}, f32), 1); }, {"add_scaled", "f64", "f32"});
  check_error([&] { x.transpose(0, 1).mutable_values<double>(); }, {"contiguous"});
  check_error([&] { x.select(0, 0).expand({3, 2}).fill(0); }, {"expanded", "[3, 2]", "clone()"});
  CHECK(x.to_vector<double>() == std::vector<double>{1, 2, 3, 4});
  CHECK(x.version() == before);
}

TEST_CASE("tensors without elements can be filled, copied and joined", "[tensor]") {
  for (const Shape& shape : {Shape{0}, Shape{3, 0}, Shape{0, 3}, Shape{2, 0, 4}}) {
    CAPTURE(to_string(shape));
    Tensor x = zeros(shape, f64);
    x.fill(1);
    x.copy_from(ones(shape, f64));
    x.add_scaled(ones(shape, f64), 2);
    CHECK(x.clone().shape() == shape);
    CHECK(x.to_vector<double>().empty());
    CHECK(sum(x).item<double>() == 0);
    CHECK((x + 1.0).shape() == shape);
    CHECK(cat({x, x}, 0).shape()[0] == 2 * shape[0]);

    Tensor leaf = zeros(shape, f64).set_requires_grad(true);
    backward(sum(cat({leaf.slice(0, 0, 1), leaf}, 0) * 2.0));
    CHECK(leaf.grad().shape() == shape);
  }
}

TEST_CASE("only floating leaves may ask for a gradient", "[tensor]") {
  check_error([] { arange(3).set_requires_grad(true); }, {"set_requires_grad", "i64"});
  check_error([] { ones({2}, boolean).set_requires_grad(true); }, {"set_requires_grad", "bool"});
  Tensor x = from({1.0, 2.0}).set_requires_grad(true);
  Tensor y = exp(x);
  CHECK(x.is_leaf());
  CHECK_FALSE(y.is_leaf());
  check_error([&] { y.set_requires_grad(false); }, {"set_requires_grad", "exp", "detach()"});
  check_error([&] { y.set_grad(ones({2}, f64)); }, {"set_grad"});
  check_error([&] { x.set_grad(ones({3}, f64)); }, {"set_grad", "[2]", "[3]"});
  check_error([&] { x.set_grad(ones({2}, f32)); }, {"set_grad", "f64", "f32"});
  CHECK_FALSE(x.grad().defined());
  CHECK_FALSE(x.set_requires_grad(false).requires_grad());
}

}  // namespace headwise::testing
