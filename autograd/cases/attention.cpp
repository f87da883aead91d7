#include "headwise/autograd/cases/families.h"

namespace headwise::cases {

std::vector<OpCase> attention_cases(Rng& rng) {
  const Tensor causal_gaps = mask({1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1}, {3, 4});
  auto attention = [](const AttentionOptions& options) {
    return TensorFunction([options](const Args& x) {
      AttentionOptions with_bias = options;
      if (x.size() > 3) with_bias.bias = x[3];
      const Attention a = scaled_dot_product_attention(x[0], x[1], x[2], with_bias);
      return options.weights ? cat({a.output.reshape({-1}), a.weights.reshape({-1})}, 0) : a.output;
    });
  };
  auto heads = [&rng](int64_t length, int64_t width) { return normal({2, 2, length, width}, rng); };
  const Args qkv{heads(3, 2), heads(4, 2), heads(4, 3)};
  Args qkv_bias = qkv;
  qkv_bias.push_back(normal({2, 3, 4}, rng));
  return {
      {"scaled_dot_product_attention", "output and weights", attention({}), qkv},
      {"scaled_dot_product_attention", "output alone", attention({.weights = false}), qkv},
      {"scaled_dot_product_attention", "mask with an empty query",
       attention(
           {.allowed =
                causal_gaps.slice(0, 0, 2).to(i64).to(boolean).reshape({2, 1, 4}).expand({2, 3, 4}).view(
                    {2, 1, 3, 4})}),
       qkv},
      {"scaled_dot_product_attention", "gaps", attention({.allowed = causal_gaps}), qkv},
      {"scaled_dot_product_attention", "bias with gradient", attention({}), qkv_bias},
      {"scaled_dot_product_attention", "causal, bottom right", attention({.causal = Causal::bottom_right}),
       qkv},
      {"scaled_dot_product_attention", "causal, top left",
       attention({.causal = Causal::top_left, .scale = 0.3}), qkv},
      {"scaled_dot_product_attention",
       "self",
       [](const Args& x) { return scaled_dot_product_attention(x[0], x[0], x[0]).output; },
       {heads(3, 2)}},
  };
}

}  // namespace headwise::cases
