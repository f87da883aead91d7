#include "headwise/layers/multi_head_attention.h"

#include "headwise/layers/cases/rows.h"

namespace headwise::cases {
namespace {

using Layer = std::shared_ptr<MultiHeadAttention>;

LayerCase self_attention(const char* what, const Layer& layer, const AttentionOptions& options,
                         const Tensor& x) {
  return {"MultiHeadAttention",
          what,
          layer,
          [layer, options](const Args& at) { return layer->forward(at[0], options).output; },
          {x}};
}

LayerCase cross_attention(const char* what, const Layer& layer, const AttentionOptions& options, Rng& rng) {
  return {"MultiHeadAttention",
          what,
          layer,
          [layer, options](const Args& at) { return layer->forward(at[0], at[1], at[2], options).output; },
          {normal({1, 2, 4}, rng), normal({1, 3, 4}, rng), normal({1, 3, 4}, rng)}};
}

}  // namespace

std::vector<LayerCase> multi_head_attention_layer_cases(Rng& rng) {
  const Layer plain = drawn(MultiHeadAttention({.d_model = 4, .heads = 2}, rng), rng);
  const Layer biased = drawn(MultiHeadAttention({.d_model = 4, .heads = 4, .bias = true}, rng), rng);
  const Tensor gaps = mask({1, 0, 1, 0, 1, 1}, {2, 3}), no_key = mask({0, 0, 0, 1, 1, 0}, {2, 3});
  return {
      self_attention("self", plain, {}, normal({2, 3, 4}, rng)),
      self_attention("self with bias, one sequence", biased, {}, normal({3, 4}, rng)),
      self_attention("self, causal", plain, {.causal = Causal::bottom_right}, normal({1, 3, 4}, rng)),
      cross_attention("cross", plain, {}, rng),
      cross_attention("cross with bias", biased, {.weights = false}, rng),
      cross_attention("masked", plain, {.allowed = gaps}, rng),
      cross_attention("masked, a query without keys", biased, {.allowed = no_key}, rng),
      {"MultiHeadAttention",
       "weights, biased scores",
       plain,
       [plain](const Args& x) { return plain->forward(x[0], {.bias = x[1]}).weights; },
       {normal({1, 3, 4}, rng), normal({3, 3}, rng)}},
  };
}

}  // namespace headwise::cases
