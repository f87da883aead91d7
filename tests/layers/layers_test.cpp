// Linear, Embedding, LayerNorm and Dropout.
#include "headwise/layers/layers.h"

#include "tests/support/tensors.h"
#include "tests/support/threads.h"

namespace headwise::testing {
namespace {

using Values = std::vector<double>;

}  // namespace

TEST_CASE("Linear multiplies by its weight's transpose and adds its bias", "[layers]") {
  Rng rng(1);
  Linear layer({3, 2}, rng);
  CHECK(layer.weight.shape() == Shape{2, 3});
  for (const double w : values(layer.weight)) CHECK(std::abs(w) <= 1 / std::sqrt(3.0));
  layer.to(f64);
  {
    const NoGrad guard;
    layer.weight.copy_from(from({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}}));
    layer.bias.copy_from(from({0.5, -0.5}));
  }
  const Tensor x = from({{1.0, 0.0, -1.0}, {1.0, 1.0, 1.0}});
  CHECK(values(layer.forward(x)) == Values{-1.5, -2.5, 6.5, 14.5});
  CHECK(values(layer.forward(x.select(0, 1))) == Values{6.5, 14.5});
  CHECK_FALSE(Linear({3, 2, false}, rng).bias.defined());
  check_error([&] { layer.forward(ones({2, 4}, f64)); }, {"linear", "[2, 4]", "[2, 3]"});
  check_error([&] { layer.forward(ones({2, 3})); }, {"f32", "f64"});
  check_error([&] { Linear({0, 2}, rng); }, {"in = 0"});
  check_error([&] { Linear({2, -1}, rng); }, {"out = -1"});
}

TEST_CASE("Linear reads any view as its contiguous copy", "[layers]") {
  Rng rng(2);
  Linear layer({4, 3}, rng);
  layer.to(f64);
  const Tensor base = randn({2, 5, 4}, rng, f64);
  const Tensor square = randn({4, 5, 4}, rng, f64);
  for (const Tensor& x :
       {base.slice(1, 0, 3), base.unsqueeze(1).slice(2, 0, 3), base.view({2, 1, 5, 4}).slice(2, 1, 4),
        base.view({1, 2, 1, 5, 4}).slice(3, 0, 2), base.transpose(0, 1), base.slice(0, 1, 2),
        base.slice(1, 2, 3), square.transpose(0, 2), square.transpose(1, 2).slice(1, 0, 2).slice(2, 0, 4),
        base.select(1, 2), base.select(0, 1).select(0, 3), base.slice(1, 0, 1).expand({2, 6, 4}),
        base.slice(1, 0, 0), base.slice(0, 0, 0)}) {
    CAPTURE(to_string(x.shape()), to_string(x.strides()));
    const Tensor cotangent = randn(layer.forward(x).shape(), rng, f64);
    auto run = [&](const Tensor& data) {
      const Tensor leaf = data.detach().set_requires_grad(true);
      const Tensor y = layer.forward(leaf);
      auto found = grad(std::vector{y}, std::vector{leaf, layer.weight, layer.bias}, std::vector{cotangent});
      found.push_back(y);
      return found;
    };
    const auto strided = run(x), dense = run(x.clone());
    for (size_t i = 0; i < dense.size(); ++i) CHECK(same_bits(strided[i], dense[i]));
    check_close(strided.back(),
                matmul(x.rank() == 1 ? x.unsqueeze(0) : x, layer.weight.transpose(0, 1))
                        .reshape(strided.back().shape()) +
                    layer.bias,
                1e-14);
  }
}

TEST_CASE("a width of zero multiplies to zero", "[layers]") {
  const Tensor x = zeros({3, 0}, f64).set_requires_grad(true), w = zeros({2, 0}, f64).set_requires_grad(true);
  const Tensor y = linear(x, w, from({1.0, 2.0}));
  CHECK(values(y) == Values{1, 2, 1, 2, 1, 2});
  const auto g = grad(sum(y), {x, w});
  CHECK(g[0].shape() == Shape{3, 0});
  CHECK(g[1].shape() == Shape{2, 0});
  CHECK(values(matmul(zeros({2, 0}, f64), zeros({0, 2}, f64))) == Values(4, 0));
  CHECK(values(matmul(zeros({3, 1, 0}, f64), zeros({0, 2}, f64))) == Values(6, 0));
}

TEST_CASE("Embedding looks rows up", "[layers]") {
  Rng rng(3);
  Embedding layer({1000, 8}, rng);
  const Tensor indices = from<int64_t>({4, 0, 4, 999});
  const Tensor rows = layer.forward(indices);
  CHECK(rows.shape() == Shape{4, 8});
  CHECK(same_bits(rows.select(0, 2), layer.weight.select(0, 4)));
  CHECK(std::abs(mean(layer.weight).item<float>()) < 5 / std::sqrt(8000.0));
  check_error([&] { layer.forward(from<int64_t>({0, 1000})); }, {"index 1000", "position 1", "size 1000"});
  check_error([&] { Embedding({0, 8}, rng); }, {"Embedding", "0", "8"});
}

TEST_CASE("the padding row of an Embedding starts as zeros and stays as it is", "[layers]") {
  Rng rng(4);
  Embedding layer({.count = 3, .width = 2, .padding_row = 1}, rng);
  const Tensor rows = layer.forward(from<int64_t>({1, 0, 1}));
  CHECK(values(rows.select(0, 0)) == Values{0, 0});
  backward(sum(rows));
  CHECK(values(layer.weight.grad()) == Values{1, 1, 0, 0, 0, 0});
  check_error([&] { Embedding({.count = 3, .width = 2, .padding_row = 3}, rng); },
              {"padding_row 3", "3 rows"});
}

TEST_CASE("LayerNorm centres and scales each row", "[layers]") {
  LayerNorm layer({4, 0});
  layer.to(f64);
  const Tensor x = from({{1.0, 3.0, 5.0, 7.0}, {-1.0, 1.0, -1.0, 1.0}});
  const double a = 3 / std::sqrt(5.0), b = 1 / std::sqrt(5.0);
  check_close(layer.forward(x), from({{-a, -b, b, a}, {-1.0, 1.0, -1.0, 1.0}}), 1e-15);
  LayerNorm usual({4});
  usual.to(f64);
  CHECK(values(usual.forward(full({1, 4}, 7, f64))) == Values{0, 0, 0, 0});
  // Far from zero the variance must not cancel.
  check_close(usual.forward(x + 1e8), usual.forward(x), 1e-7);
  check_error([] { LayerNorm({0}); }, {"LayerNorm", "0"});
  check_error([] { LayerNorm({4, -1}); }, {"epsilon", "-1"});
  check_error([&] { layer.forward(ones({2, 3}, f64)); }, {"layer_norm", "[3]", "[4]"});
}

TEST_CASE("fused layer normalisation agrees with plain ops", "[layers]") {
  Rng rng(4);
  for (const Shape& shape : {Shape{1}, Shape{3, 1}, Shape{5, 17}, Shape{2, 3, 64}, Shape{2, 1500}}) {
    const Shape width{shape.back()};
    const std::vector leaves{randn(shape, rng, f64).set_requires_grad(true),
                             randn(width, rng, f64).set_requires_grad(true),
                             randn(width, rng, f64).set_requires_grad(true)};
    const std::vector cotangents{randn(shape, rng, f64)};
    const std::vector fused{layer_norm(leaves[0], leaves[1], leaves[2])},
        plain{layer_norm_reference(leaves[0], leaves[1], leaves[2])};
    check_close(fused[0], plain[0], 1e-13);
    const auto expected = grad(plain, leaves, cotangents);
    for (const bool create_graph : {true, false}) {
      const auto found =
          grad(fused, leaves, cotangents, {.retain_graph = true, .create_graph = create_graph});
      for (size_t i = 0; i < 3; ++i) check_close(found[i], expected[i], 1e-12);
    }
  }
}

TEST_CASE("Dropout keeps or zeroes, scaled in training and absent in evaluation", "[layers]") {
  Dropout layer(0.2, Rng(5));
  const Tensor three = full({1}, 3, f64);
  int dropped = 0;
  for (int i = 0; i < 100; ++i) {
    const double y = layer.forward(three).item<double>();
    dropped += y == 0;
    CHECK((y == 0 || y == 3.75));
  }
  CHECK(dropped > 0);
  CHECK(dropped < 60);
  layer.eval();
  CHECK(layer.forward(three).item<double>() == 3);

  Rng rng(6);
  const Tensor x = from({2.0, 4.0, 6.0, 8.0}).set_requires_grad(true);
  for (int i = 0; i < 20; ++i) {
    const Tensor y = dropout(x, 0.25, rng);
    const auto out = values(y), slope = values(grad(sum(y), {x})[0]), in = values(x);
    for (size_t j = 0; j < 4; ++j) {
      CHECK(((out[j] == 0 && slope[j] == 0) || (out[j] == in[j] * (4.0 / 3) && slope[j] == 4.0 / 3)));
    }
  }
}

TEST_CASE("Dropout at the edges of its range", "[layers]") {
  Rng rng(7);
  const Tensor x = from({1.0, -2.0}).set_requires_grad(true);
  const Tensor all = dropout(x, 1, rng);
  CHECK(values(all) == Values{0, 0});
  CHECK(values(grad(sum(all), {x})[0]) == Values{0, 0});
  CHECK(same_bits(dropout(x, 0, rng), x));
  CHECK(values(dropout(full({2}, NAN, f64), 1, rng)) == Values{0, 0});
  for (const double p : {-0.1, 1.1, static_cast<double>(NAN)}) {
    const std::string shown = fmt::format("{}", p);
    check_error([&] { Dropout(p, rng); }, {"Dropout", "p must be", shown.c_str()});
    check_error([&] { dropout(x, p, rng); }, {"dropout", "p must be", shown.c_str()});
  }
}

TEST_CASE("Dropout keeps the right share, by a mask that seed and step decide", "[layers]") {
  const Tensor x = ones({1000000});
  auto draw = [&](uint64_t seed, int threads) {
    const Threads guard(threads);
    Dropout layer(0.25, Rng(seed));
    return cat({layer.forward(x), layer.forward(x)}, 0);
  };
  const Tensor masks = draw(8, 1);
  const double kept = mean((masks.slice(0, 0, 1000000) > 0).to(f64)).item<double>();
  CHECK(std::abs(kept - 0.75) < 0.0013);
  CHECK_FALSE(same_bits(masks.slice(0, 0, 1000000), masks.slice(0, 1000000, 2000000)));
  for (const int threads : {2, 3, 4}) CHECK(same_bits(draw(8, threads), masks));
  CHECK_FALSE(same_bits(draw(9, 1), masks));
}

TEST_CASE("layers refuse undefined input and an undefined weight", "[layers]") {
  Rng rng(1);
  Linear linear({.in = 2, .out = 2}, rng);
  Embedding embedding({.count = 2, .width = 2}, rng);
  const LayerNorm norm({.width = 2});
  Dropout dropout(0.5, rng);
  check_error([&] { linear.forward(Tensor()); }, {"Linear", "input is undefined"});
  check_error([&] { embedding.forward(Tensor()); }, {"Embedding", "indices is undefined"});
  check_error([&] { norm.forward(Tensor()); }, {"LayerNorm", "input is undefined"});
  check_error([&] { dropout.forward(Tensor()); }, {"Dropout", "input is undefined"});
  linear.weight = embedding.weight = Tensor();
  check_error([&] { linear.forward(ones({1, 2})); }, {"Linear", "weight is undefined"});
  check_error([&] { embedding.forward(from({int64_t{0}})); }, {"Embedding", "weight is undefined"});
}

}  // namespace headwise::testing
