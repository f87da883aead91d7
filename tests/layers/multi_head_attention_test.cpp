// MultiHeadAttention: shapes, parameter counts, what one head computes, symmetries, and bad input.
#include "headwise/layers/layers.h"
#include "tests/support/tensors.h"

namespace headwise::testing {
namespace {

MultiHeadAttention make(int64_t d_model, int64_t heads, DType dtype = f64, bool bias = false) {
  Rng rng(static_cast<uint64_t>(d_model * 100 + heads));
  MultiHeadAttention layer({d_model, heads, bias}, rng);
  layer.to(dtype);
  return layer;
}

Tensor input(const Shape& shape, uint64_t seed = 1, DType dtype = f64) {
  Rng rng(seed);
  return randn(shape, rng, dtype);
}

// Single-head attention from plain ops.
Tensor single_head(const Tensor& x, const Tensor& W_Q, const Tensor& W_K, const Tensor& W_V,
                   const Tensor& W_O) {
  auto project = [](const Tensor& y, const Tensor& w) { return matmul(y, w.transpose(0, 1)); };
  const Tensor q = project(x, W_Q), k = project(x, W_K), v = project(x, W_V);
  const double scale = std::sqrt(static_cast<double>(x.size(-1)));
  const Tensor weights = softmax(matmul(q, k.transpose(-1, -2)) / scale, -1);
  return project(matmul(weights, v), W_O);
}

}  // namespace

TEST_CASE("every point on the way has its shape", "[mha]") {
  struct Row {
    int64_t batch, length, d_model, heads;
  };
  for (const auto& [B, T, d, h] :
       {Row{1, 4, 8, 2}, {2, 5, 8, 2}, {4, 12, 64, 8}, {2, 6, 8, 2}, {2, 6, 512, 8}}) {
    const auto layer = make(d, h, f32);
    const Attended a = layer.forward(input({B, T, d}, 1, f32));
    for (const Tensor& x : {a.query, a.key, a.value, a.concatenated, a.output})
      CHECK(x.shape() == Shape{B, T, d});
    for (const Tensor& x : {a.query_heads, a.key_heads, a.value_heads, a.context})
      CHECK(x.shape() == Shape{B, h, T, d / h});
    CHECK(a.weights.shape() == Shape{B, h, T, T});
    check_close(sum(a.weights, {-1}), ones({B, h, T}), 1e-6);
  }
}

TEST_CASE("unbatched input drops the batch axis everywhere and changes no value", "[mha]") {
  const auto layer = make(9, 3);
  for (const int64_t n : {1, 2, 7}) {
    const Tensor x = input({n, 9});
    const Attended a = layer.forward(x), batched = layer.forward(x.unsqueeze(0));
    CHECK(a.query_heads.shape() == Shape{3, n, 3});
    CHECK(a.weights.shape() == Shape{3, n, n});
    CHECK(a.context.shape() == Shape{3, n, 3});
    CHECK(same_bits(a.output, batched.output.squeeze(0)));
    CHECK(same_bits(a.weights, batched.weights.squeeze(0)));
  }
  const auto pair = make(8, 2);
  const Attended cross = pair.forward(input({3, 8}), input({5, 8}, 2), input({5, 8}, 3));
  CHECK(cross.output.shape() == Shape{3, 8});
  CHECK(cross.weights.shape() == Shape{2, 3, 5});
}

TEST_CASE("four matrices, whatever the number of heads", "[mha]") {
  for (const auto& [d, count] :
       {std::pair<int64_t, int64_t>{8, 256}, {32, 4096}, {256, 262144}, {512, 1048576}})
    for (int64_t h = 1; h <= d; ++h) {
      if (d % h != 0 || (d > 32 && h > 16)) continue;
      auto layer = make(d, h, f32);
      CHECK(layer.parameter_count() == count);
      CHECK(layer.W_Q.numel() + layer.W_K.numel() + layer.W_V.numel() == 3 * d * d);
      CHECK(layer.W_O.numel() == d * d);
      CHECK(layer.head_rows(layer.W_Q).shape() == Shape{h, d / h, d});
      CHECK(layer.head_columns(layer.W_O).shape() == Shape{d, h, d / h});
    }
  CHECK(make(8, 2, f32, true).parameter_count() == 256 + 32);
}

TEST_CASE("one head is single-head attention", "[mha]") {
  for (const auto& [B, T, d] : {std::array<int64_t, 3>{1, 1, 4}, {2, 5, 8}, {3, 17, 24}}) {
    auto layer = make(d, 1);
    const Tensor x = input({B, T, d}).set_requires_grad(true);
    const Tensor y = layer.forward(x).output,
                 plain = single_head(x, layer.W_Q, layer.W_K, layer.W_V, layer.W_O);
    check_close(y, plain, 1e-12);
    const Tensor cotangent = input({B, T, d}, 2);
    const std::vector leaves{x, layer.W_Q, layer.W_K, layer.W_V, layer.W_O};
    const auto ours = grad(std::vector{y}, leaves, std::vector{cotangent}),
               theirs = grad(std::vector{plain}, leaves, std::vector{cotangent});
    for (size_t i = 0; i < leaves.size(); ++i) check_close(ours[i], theirs[i], 1e-12);
  }
}

TEST_CASE("h heads are h single heads, projected together", "[mha]") {
  const auto layer = make(12, 3);
  const Tensor x = input({2, 5, 12});
  const Attended a = layer.forward(x);
  for (int64_t h = 0; h < 3; ++h) {
    auto own = [&](const Tensor& w) { return matmul(x, layer.head_rows(w).select(0, h).transpose(0, 1)); };
    const Tensor scores = matmul(own(layer.W_Q), own(layer.W_K).transpose(1, 2)) / std::sqrt(4.0);
    check_close(a.weights.select(1, h), softmax(scores, -1), 1e-13);
    check_close(a.context.select(1, h), matmul(softmax(scores, -1), own(layer.W_V)), 1e-13);
  }
}

TEST_CASE("swapping two tokens swaps their outputs", "[mha]") {
  const auto layer = make(16, 4);
  const Tensor x = input({2, 6, 16});
  Tensor swapped = x.clone();
  swapped.select(1, 1).copy_from(x.select(1, 4));
  swapped.select(1, 4).copy_from(x.select(1, 1));
  const Tensor y = layer.forward(x).output, z = layer.forward(swapped).output;
  for (const auto& [from, to] : {std::pair{0, 0}, {1, 4}, {2, 2}, {3, 3}, {4, 1}, {5, 5}})
    check_close(z.select(1, to), y.select(1, from), 1e-12);
}

TEST_CASE("equal tokens are attended to equally", "[mha]") {
  const auto layer = make(16, 4);
  for (const int64_t T : {1, 3, 5, 8, 13}) {
    const Attended a = layer.forward(input({2, 1, 16}).expand({2, T, 16}));
    CHECK(same_bits(a.weights, full({2, 4, T, T}, 1.0 / static_cast<double>(T), f64)));
  }
}

TEST_CASE("a query without keys gets the output bias alone and harms no weight", "[mha]") {
  auto layer = make(2, 1);
  const NoGrad guard;
  for (Tensor* w : {&layer.W_Q, &layer.W_K, &layer.W_V, &layer.W_O})
    w->copy_from(from({{1.0, 0.0}, {0.0, 1.0}}));
  const GradMode recording(true);
  const Tensor x = from({{1.0, 0.0}, {0.0, 1.0}}).set_requires_grad(true);
  const Attended a = layer.forward(x, {.allowed = from({{true, true}, {false, false}})});
  CHECK(a.empty_queries == std::vector<EmptyQuery>{{0, 0, 1}});
  CHECK(values(a.output.select(0, 1)) == std::vector<double>{0, 0});
  const auto g = grad(sum(a.output.select(0, 0)), {x, layer.W_Q, layer.W_K, layer.W_V, layer.W_O});
  constexpr double w0 = 0.6697615493266569, w1 = 0.33023845067334306;
  check_close(g[0], from({{w0, w0}, {w1, w1}}));
  for (const Tensor& each : g)
    for (const double value : values(each)) CHECK(std::isfinite(value));
}

TEST_CASE("one position: the weights get no gradient through the scores", "[mha]") {
  auto layer = make(2, 1);
  {
    const NoGrad guard;
    for (Tensor* w : {&layer.W_Q, &layer.W_K, &layer.W_O}) w->copy_from(from({{1.0, 0.0}, {0.0, 1.0}}));
    layer.W_V.copy_from(from({{1.0, 2.0}, {0.0, 1.0}}));
  }
  const Attended a = layer.forward(from({{3.0, -1.0}}));
  CHECK(values(a.output) == std::vector<double>{1, -1});
  CHECK(values(a.weights) == std::vector<double>{1});
  backward(sum(a.output));
  CHECK(values(layer.W_Q.grad()) == std::vector<double>(4, 0));
  CHECK(values(layer.W_K.grad()) == std::vector<double>(4, 0));
  CHECK(values(layer.W_V.grad()) == std::vector<double>{3, -1, 3, -1});
  CHECK(values(layer.W_O.grad()) == std::vector<double>{1, -1, 1, -1});
}

TEST_CASE("bad options and input are refused with the numbers", "[mha]") {
  Rng rng(1);
  check_error([&] { MultiHeadAttention({6, 4}, rng); }, {"d_model = 6", "heads = 4"});
  check_error([&] { MultiHeadAttention({6, 0}, rng); }, {"heads = 0"});
  check_error([&] { MultiHeadAttention({0, 1}, rng); }, {"d_model = 0"});
  check_error([&] { MultiHeadAttention({-8, -2}, rng); }, {"-8", "-2"});
  const auto layer = make(4, 2);
  const Tensor x = input({2, 3, 4});
  check_error([&] { layer.forward(input({2, 3, 6})); }, {"query", "[2, 3, 6]", "width 6", "4"});
  check_error([&] { layer.forward(x, input({2, 3, 3}), x); }, {"key", "width 3", "4"});
  check_error([&] { layer.forward(x, x, input({2, 3, 5})); }, {"value", "width 5"});
  check_error([&] { layer.forward(input({4})); }, {"query", "[4]"});
  check_error([&] { layer.forward(input({2, 2, 3, 4})); }, {"[2, 2, 3, 4]"});
  check_error([&] { layer.forward(x, input({3, 4}), x); }, {"[2, 3, 4]", "key", "[3, 4]"});
  check_error([&] { layer.forward(x, input({1, 3, 4}), x); }, {"batch", "[1, 3, 4]"});
  check_error([&] { layer.forward(x, x, input({2, 5, 4})); }, {"3 keys", "5 values"});
  check_error([&] { layer.forward(x.to(f32)); }, {"f32", "f64"});
  check_error([&] { layer.forward(x, {.allowed = ones({4, 4}, boolean)}); }, {"allowed", "[4, 4]"});
  check_error([&] { layer.forward(Tensor()); }, {"query is undefined"});
  check_error([&] { layer.forward(x, Tensor(), x); }, {"key is undefined"});
  auto incomplete = make(4, 2);
  incomplete.W_O = Tensor();
  check_error([&] { incomplete.forward(x); }, {"W_O is undefined"});
}

TEST_CASE("empty batches and sequences of length zero are defined", "[mha]") {
  auto layer = make(8, 2, f64, true);
  for (const auto& [B, L, S] : {std::array<int64_t, 3>{0, 3, 3}, {2, 0, 0}, {2, 0, 3}, {2, 3, 0}}) {
    layer.zero_grad();
    const Tensor query = input({B, L, 8}).set_requires_grad(true),
                 key = input({B, S, 8}).set_requires_grad(true);
    const Attended a = layer.forward(query, key, key);
    CHECK(a.output.shape() == Shape{B, L, 8});
    CHECK(a.weights.shape() == Shape{B, 2, L, S});
    backward(sum(a.output));
    CHECK(query.grad().shape() == query.shape());
    CHECK(key.grad().shape() == key.shape());
    for (const auto& [name, p] : layer.named_parameters()) {
      CAPTURE(name);
      REQUIRE(p.grad().defined());
      const bool feels = name == "b_O" && B * L > 0;
      CHECK(same_bits(p.grad(), full(p.shape(), feels ? static_cast<double>(B * L) : 0, f64)));
    }
  }
}

}  // namespace headwise::testing
