// Bits depend on the operands alone: not on the number of threads, nor on where an element lies.
#include <functional>

#include "tests/support/tensors.h"
#include "tests/support/threads.h"

namespace headwise::testing {
namespace {

using Function = std::function<Tensor(const std::vector<Tensor>&)>;

struct Family {
  std::string name;
  Function function;
  std::vector<Tensor> inputs;
};

// Sizes at which every kernel cuts its work.
std::vector<Family> families(DType dtype) {
  using Args = std::vector<Tensor>;
  Rng rng(1);
  auto normal = [&](const Shape& shape) { return randn(shape, rng, dtype); };
  const Tensor large = normal({300, 511}), other = normal({300, 511}), row = normal({511});
  const Tensor chosen = large > 0;
  const Tensor tall = normal({1200, 511});
  Tensor labels = empty({300}, i64);
  for (int64_t& label : labels.mutable_values<int64_t>()) label = rng.below(511);
  const Tensor index = labels.view({300, 1}).expand({300, 400});
  auto heads = [&](int64_t length) { return normal({3, length, 4, 16}).transpose(1, 2); };
  return {
      {"add, sub, mul, div",
       [](const Args& x) { return (x[0] + x[1]) * (x[0] - x[2]) / (x[1] * x[1] + 1.0); },
       {large, other, row}},
      {"strided add",
       [](const Args& x) { return x[0].transpose(0, 1) + x[1].transpose(0, 1) * 2.0; },
       {large, other}},
      {"exp, log, sqrt",
       [](const Args& x) { return log(exp(x[0]) + 1.0) * sqrt(x[0] * x[0] + 0.5); },
       {large}},
      {"tanh, gelu, relu, erf",
       [](const Args& x) { return tanh(x[0]) + gelu(x[0]) * relu(x[0]) - erf(x[0]); },
       {large}},
      {"sigmoid, silu, softplus, gelu by tanh",
       [](const Args& x) {
         return sigmoid(x[0]) + silu(x[0].transpose(0, 1)).transpose(0, 1) * softplus(x[0]) -
                gelu(x[0], Gelu::tanh);
       },
       {large}},
      {"abs, square, sin, cos",
       [](const Args& x) { return abs(x[0]) * square(x[1]) + sin(x[0]) * cos(x[1]); },
       {large, other}},
      {"pow",
       [](const Args& x) { return pow(square(x[0]) + 0.5, x[1]) + pow(x[0], 3) * pow(2, x[1]); },
       {large, row}},
      {"maximum, minimum, clamp",
       [](const Args& x) { return maximum(x[0], x[1]) - minimum(x[0], x[2]) * clamp(x[1], -1, 0.5); },
       {large, other, row}},
      {"where, masked_fill",
       [chosen](const Args& x) { return where(chosen, x[0], masked_fill(x[1], chosen, 3)); },
       {large, other}},
      {"sums",
       [](const Args& x) {
         return sum(x[0], {0}) * sum(x[0].slice(1, 0, 300), {0, 1}) + sum(x[0]);
       },
       {large}},
      {"sum of rows", [](const Args& x) { return sum(x[0], {1}); }, {large}},
      {"compensated sums",
       [](const Args& x) { return sum(x[0], {.compensated = true}) + sum(x[0], {1}, {.compensated = true}); },
       {tall}},
      {"mean, amax, amin",
       [](const Args& x) { return mean(x[0], {1}) + amax(x[0], {1}) * amin(x[0], {1}); },
       {tall}},
      {"max, min",
       [](const Args& x) {
         return max(x[0], 1).values * min(x[0], -1).values + max(x[0], 0).values.select(0, 1);
       },
       {tall}},
      {"prod", [](const Args& x) { return prod(x[0], {1}) + prod(x[0], {0}, true).select(1, 3); }, {tall}},
      {"var, stddev, norm",
       [](const Args& x) { return var(x[0], {1}) + stddev(x[0]) * norm(x[0], {1}, {.p = 3}); },
       {tall}},
      {"cumsum", [](const Args& x) { return cumsum(x[0], 0) * cumsum(x[0], 1, {.reverse = true}); }, {tall}},
      {"sort, topk",
       [](const Args& x) {
         return cat({sort(x[0], 1).values, topk(x[0], 7, 1).values}, 1);
       },
       {tall}},
      {"softmax", [](const Args& x) { return softmax(x[0], 1) + softmax(x[1], 0); }, {large, other}},
      {"log_softmax, logsumexp",
       [](const Args& x) { return log_softmax(x[0], 1) + logsumexp(x[0], 1, true); },
       {large}},
      {"matmul", [](const Args& x) { return matmul(x[0], x[1].transpose(0, 1)); }, {large, other}},
      {"batched matmul",
       [](const Args& x) { return matmul(x[0], x[1]); },
       {normal({6, 70, 90}), normal({6, 90, 80})}},
      {"linear",
       [](const Args& x) { return linear(x[0], x[1], x[2]); },
       {large, normal({257, 511}), normal({257})}},
      {"views",
       [](const Args& x) {
         return cat({x[0].transpose(0, 1).reshape({300, 511}), x[1].slice(1, 7, 300)}, 1);
       },
       {large, other}},
      {"gather, embedding",
       [index, labels](const Args& x) {
         return cat({gather(x[0], 1, index), embedding(x[1], labels)}, 1);
       },
       {large, normal({511, 300})}},
      {"cross_entropy",
       [labels](const Args& x) { return cross_entropy(x[0], labels, {.label_smoothing = 0.1}).loss; },
       {large}},
      {"mse_loss", [](const Args& x) { return mse_loss(x[0], x[1]); }, {large, other}},
      {"layer_norm", [](const Args& x) { return layer_norm(x[0], x[1], x[1]); }, {large, row}},
      {"dropout",
       [](const Args& x) {
         Rng own(3);
         return dropout(x[0], 0.3, own);
       },
       {large}},
      {"attention",
       [](const Args& x) {
         return scaled_dot_product_attention(x[0], x[1], x[2], {.causal = Causal::bottom_right}).output;
       },
       {heads(150), heads(170), heads(170)}},
      {"attention without kept weights",
       [](const Args& x) {
         return scaled_dot_product_attention(x[0], x[1], x[2], {.weights = false}).output;
       },
       {heads(60), heads(600), heads(600)}},
  };
}

// The result and the gradient of every input.
std::vector<Tensor> run(const Family& family) {
  std::vector<Tensor> leaves;
  for (const Tensor& x : family.inputs) leaves.push_back(x.detach().set_requires_grad(true));
  const Tensor y = family.function(leaves);
  Rng rng(2);
  auto found = grad(std::vector{y}, leaves, std::vector{randn(y.shape(), rng, y.dtype())});
  found.push_back(y.detach());
  return found;
}

}  // namespace

TEST_CASE("1, 2, 3 and 4 threads give the same bits in every op and gradient", "[determinism]") {
  for (const DType dtype : {f32, f64})
    for (const Family& family : families(dtype)) {
      const auto expected = [&] {
        const Threads guard(1);
        return run(family);
      }();
      // f64 runs the same templates: once more is enough.
      for (const int threads : dtype == f32 ? std::vector{2, 3, 4} : std::vector{3}) {
        INFO(family.name << ", " << name_of(dtype) << ", " << threads << " threads");
        const Threads guard(threads);
        const auto found = run(family);
        for (size_t i = 0; i < found.size(); ++i) CHECK(same_bits(found[i], expected[i]));
      }
    }
}

TEST_CASE("equal columns give equal bits", "[determinism]") {
  for (const DType dtype : {f32, f64})
    for (const int64_t d : {24, 32, 48, 64, 96, 128}) {
      CAPTURE(d, name_of(dtype));
      Rng rng(static_cast<uint64_t>(d));
      const Tensor x = randn({13, d}, rng, dtype);
      const Tensor equal_rows = randn({1, d}, rng, dtype).expand({d, d}).clone();
      const Tensor y = linear(x, equal_rows);
      CHECK(same_bits(y, y.slice(1, 0, 1).expand(y.shape())));
      CHECK(same_bits(matmul(x, equal_rows.transpose(0, 1)), y));
      // Two halves of a matrix that are alike, as the columns of tied heads are.
      const Tensor half = randn({d, d / 2}, rng, dtype);
      const Tensor z = matmul(x, cat({half, half}, 1));
      CHECK(same_bits(z.slice(1, 0, d / 2), z.slice(1, d / 2, d)));
      CHECK(same_bits(z.slice(1, 0, d / 2), matmul(x, half)));
    }
}

TEST_CASE("a row's bits do not depend on the rows beside it", "[determinism]") {
  for (const DType dtype : {f32, f64})
    for (const int64_t d : {1, 5, 24, 33, 64, 100}) {
      Rng rng(static_cast<uint64_t>(d));
      const Tensor x = randn({37, d}, rng, dtype), w = randn({d, 29}, rng, dtype),
                   gain = randn({d}, rng, dtype);
      for (const int64_t r : {0, 1, 15, 36}) {
        CAPTURE(d, r);
        auto alone = [&](auto f) { return same_bits(f(x.slice(0, r, r + 1)), f(x).slice(0, r, r + 1)); };
        CHECK(alone([&](const Tensor& y) { return matmul(y, w); }));
        CHECK(alone(
            [&](const Tensor& y) { return matmul(w.transpose(0, 1), y.transpose(0, 1)).transpose(0, 1); }));
        CHECK(alone([&](const Tensor& y) { return softmax(y, 1); }));
        CHECK(alone([&](const Tensor& y) { return log_softmax(y, -1); }));
        CHECK(alone([&](const Tensor& y) { return logsumexp(y, 1); }));
        CHECK(alone([&](const Tensor& y) { return sum(y, {1}); }));
        CHECK(alone([&](const Tensor& y) { return layer_norm(y, gain, gain); }));
        CHECK(alone([&](const Tensor& y) { return exp(y) + gelu(y) * tanh(y); }));
        CHECK(alone([&](const Tensor& y) { return silu(y) + softplus(y) * gelu(y, Gelu::tanh); }));
      }
    }
}

}  // namespace headwise::testing
