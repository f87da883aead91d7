// A sample alone gets the bits it gets in a batch, through a whole layer and back; so does any number of
// threads.
#include "headwise/layers/layers.h"
#include "tests/support/tensors.h"
#include "tests/support/threads.h"

namespace headwise::testing {
namespace {

struct Outcome {
  Tensor output, weights, input_gradient;
};

Outcome run(const MultiHeadAttention& layer, const Tensor& data, const Tensor& cotangent,
            const AttentionOptions& options) {
  const Tensor x = data.clone().set_requires_grad(true);
  const Attended a = layer.forward(x, options);
  return {a.output, a.weights, grad(std::vector{a.output}, std::vector{x}, std::vector{cotangent})[0]};
}

}  // namespace

TEST_CASE("a sample alone gives the bits it gives in a batch", "[determinism]") {
  for (const DType dtype : {f32, f64})
    for (const auto& [B, T, d, h] :
         {std::array<int64_t, 4>{5, 7, 24, 3}, {3, 16, 32, 4}, {4, 33, 64, 2}, {2, 130, 48, 6}}) {
      Rng rng(1);
      MultiHeadAttention layer({d, h, true}, rng);
      layer.to(dtype);
      const Tensor x = randn({B, T, d}, rng, dtype), cotangent = randn({B, T, d}, rng, dtype);
      Tensor allowed = ones({B, 1, 1, T}, boolean);
      allowed.select(0, 1).slice(2, T / 2, T).fill(0);
      for (const bool padded : {false, true})
        for (const Causal causal : {Causal::none, Causal::top_left}) {
          CAPTURE(name_of(dtype), B, T, d, h, padded);
          AttentionOptions options{.causal = causal};
          if (padded) options.allowed = allowed;
          const Outcome batch = run(layer, x, cotangent, options);
          for (int64_t b = 0; b < B; ++b) {
            auto own = [b](const Tensor& t) { return t.slice(0, b, b + 1); };
            if (padded) options.allowed = own(allowed);
            const Outcome alone = run(layer, own(x), own(cotangent), options);
            CHECK(same_bits(alone.output, own(batch.output)));
            CHECK(same_bits(alone.weights, own(batch.weights)));
            CHECK(same_bits(alone.input_gradient, own(batch.input_gradient)));
          }
        }
    }
}

TEST_CASE("a training gradient has the same bits for 1, 2, 3 and 4 threads", "[determinism]") {
  Rng rng(2);
  MultiHeadAttention layer({64, 4, true}, rng);
  const Tensor x = randn({16, 40, 64}, rng), target = randn({16, 40, 64}, rng);
  auto gradients = [&](int threads) {
    const Threads guard(threads);
    layer.zero_grad();
    backward(mse_loss(layer.forward(x, {.causal = Causal::top_left}).output, target));
    std::vector<Tensor> found;
    for (const auto& entry : layer.named_parameters()) found.push_back(entry.second.grad());
    return found;
  };
  const auto expected = gradients(1);
  for (const int threads : {2, 3, 4}) {
    const auto found = gradients(threads);
    for (size_t i = 0; i < expected.size(); ++i) CHECK(same_bits(found[i], expected[i]));
  }
}

}  // namespace headwise::testing
