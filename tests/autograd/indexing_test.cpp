// Gather, scatter and embedding: repeated indices add up, bad ones are refused before anything is read.
#include "tests/support/tensors.h"
#include "tests/support/threads.h"

namespace headwise::testing {
namespace {

using Values = std::vector<double>;

}  // namespace

TEST_CASE("rows that are looked up twice receive both gradients", "[indexing]") {
  const Tensor table = from({{0.0, 0.0}, {1.0, 2.0}, {3.0, 4.0}}).set_requires_grad(true);
  const Tensor rows = embedding(table, from<int64_t>({1, 1, 2, 0}));
  CHECK(values(rows) == Values{1, 2, 1, 2, 3, 4, 0, 0});
  backward(rows, from({{1.0, 1.0}, {2.0, 2.0}, {3.0, 3.0}, {4.0, 4.0}}));
  CHECK(values(table.grad()) == Values{4, 4, 3, 3, 3, 3});

  const Tensor x = from({0.1}).set_requires_grad(true);
  backward(gather(x, 0, from<int64_t>({0, 0})), from({0.2, 0.3}));
  CHECK(values(x.grad()) == Values{0.5});
}

TEST_CASE("indices may have any shape and be strided", "[indexing]") {
  const Tensor table = arange(12, f64).view({4, 3});
  const Tensor indices = from<int64_t>({0, 3, 1, 1, 2, 0}).view({2, 3});
  const Tensor picked = embedding(table, indices.transpose(0, 1));
  CHECK(picked.shape() == Shape{3, 2, 3});
  CHECK(values(picked.select(0, 1).select(0, 0)) == Values{9, 10, 11});
  CHECK(values(picked.select(0, 1).select(0, 1)) == Values{6, 7, 8});
  CHECK(
      same_bits(embedding(table.transpose(0, 1), from<int64_t>({2})), table.transpose(0, 1).slice(0, 2, 3)));
  CHECK(embedding(table, zeros({0, 2}, i64)).shape() == Shape{0, 2, 3});
  CHECK(embedding(table, full({}, 1, i64)).shape() == Shape{3});
}

TEST_CASE("gather reads along any axis of any view", "[indexing]") {
  Rng rng(1);
  const Tensor base = randn({4, 5, 3}, rng, f64);
  for (const Tensor& x : {base, base.transpose(0, 2), base.permute({1, 2, 0})})
    for (int axis = 0; axis < 3; ++axis) {
      Shape shape = x.shape();
      shape[axis] = 7;
      Tensor index = empty(shape, i64);
      for (int64_t& i : index.mutable_values<int64_t>()) i = rng.below(x.shape()[axis]);
      const Tensor y = gather(x, axis, index);
      const Tensor line = y.select(axis, 4), at = index.select(axis, 4);
      // Position by position, through views alone.
      for (int64_t i = 0; i < line.shape()[0]; ++i)
        for (int64_t j = 0; j < line.shape()[1]; ++j) {
          const int64_t k = at.select(0, i).select(0, j).item<int64_t>();
          CHECK(line.select(0, i).select(0, j).item<double>() ==
                x.select(axis, k).select(0, i).select(0, j).item<double>());
        }
      // Scattering back what was gathered with every index once is the identity.
      Tensor once = empty(x.shape(), i64);
      once.copy_from(arange(x.shape()[axis])
                         .view(axis == 0   ? Shape{-1, 1, 1}
                               : axis == 1 ? Shape{1, -1, 1}
                                           : Shape{1, 1, -1}));
      CHECK(same_bits(scatter_add(gather(x, axis, once), axis, once, x.shape()), x.contiguous()));
    }
}

TEST_CASE("repeated targets are added in one order for any number of threads", "[indexing]") {
  Rng rng(2);
  const Tensor table = randn({7, 64}, rng).set_requires_grad(true);
  Tensor index = empty({4000}, i64);
  for (int64_t& i : index.mutable_values<int64_t>()) i = rng.below(7);
  const Tensor cotangent = randn({4000, 64}, rng);
  auto gradient = [&] {
    Tensor embedded =
        grad(std::vector{embedding(table, index)}, std::vector{table}, std::vector{cotangent})[0];
    const auto gathered = grad(std::vector{gather(table, 0, index.unsqueeze(1).expand({4000, 64}))},
                               std::vector{table}, std::vector{cotangent})[0];
    CHECK(same_bits(embedded, gathered));
    return embedded;
  };
  const Tensor expected = gradient();
  for (const int threads : {2, 3, 4}) {
    const Threads guard(threads);
    CHECK(same_bits(gradient(), expected));
  }
}

TEST_CASE("index_select reads slices along any axis of any view", "[indexing]") {
  Rng rng(3);
  const Tensor base = randn({4, 5, 3}, rng, f64);
  const Tensor indices = from<int64_t>({2, 0, 2, 1, 1, 0}).view({2, 3});
  for (const Tensor& x : {base, base.transpose(0, 2), base.permute({1, 2, 0}), base.slice(1, 1, 4),
                          base.select(1, 0).unsqueeze(1).expand({4, 3, 3})})
    for (const int axis : {0, 1, -1})
      for (const Tensor& index : {indices, indices.transpose(0, 1), full({}, 1, i64),
                                  full({}, 2, i64).expand({2}), zeros({0}, i64), indices.select(1, 2)}) {
        const Tensor picked = index_select(x, axis, index);
        const int place = axis < 0 ? 2 : axis;
        REQUIRE(picked.rank() == 2 + index.rank());
        // The index's axes, moved to the front and merged, show one slice of x each.
        Tensor slices = picked;
        std::vector<int> order;
        for (int own = 0; own < index.rank(); ++own) order.push_back(place + own);
        for (int other = 0; other < picked.rank(); ++other)
          if (other < place || other >= place + index.rank()) order.push_back(other);
        slices = permute(picked, order);
        const Shape rest{slices.size(-2), slices.size(-1)};
        slices = slices.reshape({index.numel(), rest[0], rest[1]});
        const auto at = index.to_vector<int64_t>();
        for (size_t i = 0; i < at.size(); ++i)
          CHECK(same_bits(slices.select(0, static_cast<int64_t>(i)), x.select(axis, at[i])));
      }
  CHECK(index_select(zeros({3, 0}), 0, indices).shape() == Shape{2, 3, 0});
  CHECK(index_select(zeros({0, 3}), 0, zeros({0}, i64)).shape() == Shape{0, 3});
  CHECK(index_select(from<int64_t>({5, 6}), 0, from<int64_t>({1})).to_vector<int64_t>() ==
        std::vector<int64_t>{6});
}

TEST_CASE("the gradient of index_select is a matrix product with one_hot", "[indexing]") {
  Rng rng(4);
  const Tensor indices = from<int64_t>({3, 0, 3, 1, 3});
  for (const DType dtype : {f32, f64}) {
    const Tensor x = randn({2, 4, 3}, rng, f64).to(dtype).set_requires_grad(true);
    const Tensor dy = randn({2, 5, 3}, rng, f64).to(dtype);
    const Tensor dx = grad(std::vector{index_select(x, 1, indices)}, std::vector{x}, std::vector{dy})[0];
    check_close(dx, matmul(one_hot(indices, 4, dtype).transpose(0, 1), dy), dtype == f32 ? 1e-6 : 1e-15);
  }
}

TEST_CASE("a gradient of few rows is added to what the table has collected", "[indexing]") {
  Rng rng(5);
  const Tensor table = randn({6, 3}, rng, f64).set_requires_grad(true);
  const Tensor index = from<int64_t>({4, 4, 1});
  // Dense and sparse uses of one table, in either order, recorded and not.
  auto total = [&] {
    return sum(table * table) + sum(index_select(table, 0, index) * 2.0) + sum(tanh(table)) +
           sum(gather(table, 1, full({6, 1}, 2, i64)) * 3.0) + sum(embedding(table, index)) +
           sum(table.slice(0, 1, 3));
  };
  Tensor expected = table.detach() * 2.0 + (1.0 - tanh(table.detach()) * tanh(table.detach()));
  for (const int64_t row : {4, 4, 1}) expected.slice(0, row, row + 1).add_scaled(ones({1, 3}, f64), 3);
  expected.slice(1, 2, 3).add_scaled(ones({6, 1}, f64), 3);
  expected.slice(0, 1, 3).add_scaled(ones({2, 3}, f64), 1);
  check_close(grad(total(), {table})[0], expected, 1e-14);
  check_close(grad(total(), {table}, {.create_graph = true})[0], expected, 1e-14);
}

TEST_CASE("one_hot marks the index", "[indexing]") {
  const Tensor found = one_hot(from<int64_t>({{2, 0}, {1, 1}}), 3);
  CHECK(found.dtype() == f32);
  CHECK(found.shape() == Shape{2, 2, 3});
  CHECK(values(found) == Values{0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0});
  CHECK(one_hot(full({}, 1, i64), 2, i64).to_vector<int64_t>() == std::vector<int64_t>{0, 1});
  CHECK(one_hot(full({}, 1, i64), 2, boolean).to_vector<bool>() == std::vector<bool>{false, true});
  CHECK(one_hot(zeros({0}, i64), 0, f64).shape() == Shape{0, 0});
  check_error([] { one_hot(from<int64_t>({0, 3}), 3); }, {"one_hot", "index 3", "position 1", "size 3"});
  check_error([] { one_hot(from<int64_t>({-1}), 3); }, {"one_hot", "index -1"});
  check_error([] { one_hot(from({1.0}), 3); }, {"one_hot", "i64", "f64"});
  check_error([] { one_hot(zeros({0}, i64), -1); }, {"one_hot", "-1"});
}

TEST_CASE("bad indices name themselves, their position and the size", "[indexing]") {
  const Tensor table = zeros({3, 2}, f64);
  check_error(
      [&] {
        embedding(table, from<int64_t>({0, 3}));
      },
      {"embedding", "index 3", "position 1", "size 3"});
  check_error([&] { embedding(table, from<int64_t>({-1})); }, {"embedding", "index -1", "position 0"});
  check_error([&] { embedding(table, from({1.0})); }, {"embedding", "i64", "f64"});
  check_error([&] { embedding(zeros({3}), from<int64_t>({0})); }, {"embedding", "[3]"});
  check_error([&] { gather(table, 1, full({3, 1}, 2, i64)); }, {"gather", "index 2", "position 0", "size 2"});
  check_error([&] { gather(table, 1, full({3}, 0, i64)); }, {"gather", "[3]", "[3, 2]"});
  check_error([&] { gather(table, 2, full({3, 1}, 0, i64)); }, {"gather", "axis 2"});
  check_error(
      [&] {
        scatter_add(table, 0, full({3, 2}, 5, i64), {4, 2});
      },
      {"scatter_add", "index 5", "size 4"});
  check_error([&] { gather(zeros({0, 2}), 0, full({1, 2}, 0, i64)); }, {"gather", "index 0", "size 0"});
}

TEST_CASE("repeated rows add up and the padding row gets no gradient", "[indexing]") {
  const Tensor table = from({{0.0, 0.0}, {1.0, 2.0}, {3.0, 4.0}}).set_requires_grad(true);
  const Tensor indices = from<int64_t>({1, 1, 2, 0});
  const Tensor upstream = from({{1.0, 1.0}, {2.0, 2.0}, {3.0, 3.0}, {4.0, 4.0}});
  auto gradient = [&](std::optional<int64_t> padding_row) {
    return grad(std::vector{embedding(table, indices, padding_row)}, std::vector{table},
                std::vector{upstream})[0];
  };
  CHECK(same_bits(gradient(0), from({{0.0, 0.0}, {3.0, 3.0}, {3.0, 3.0}})));
  CHECK(same_bits(gradient({}), from({{4.0, 4.0}, {3.0, 3.0}, {3.0, 3.0}})));
  CHECK(same_bits(embedding(table, indices, 2), embedding(table, indices)));
  const Tensor once = from({0.1}).set_requires_grad(true);
  const Tensor twice = gather(once, 0, from<int64_t>({0, 0}));
  CHECK(grad(std::vector{twice}, std::vector{once}, std::vector{from({0.2, 0.3})})[0].item<double>() == 0.5);
  check_error([&] { embedding(table, indices, 3); }, {"embedding", "padding_row 3", "3 rows"});
}

}  // namespace headwise::testing
