#include "tests/autograd/op_cases.h"

namespace headwise::testing {

std::vector<OpCase> attention_cases() {
  const Tensor causal_gaps = mask({1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1}, {3, 4});
  auto attention = [](const AttentionOptions& options) {
    return Function([options](const Args& x) {
      AttentionOptions with_bias = options;
      if (x.size() > 3) with_bias.bias = x[3];
      const Attention a = scaled_dot_product_attention(x[0], x[1], x[2], with_bias);
      return options.weights ? cat({a.output.reshape({-1}), a.weights.reshape({-1})}, 0) : a.output;
    });
  };
  auto heads = [](int64_t length, int64_t width, uint64_t seed) {
    return normal({2, 2, length, width}, seed);
  };
  const Args qkv{heads(3, 2, 60), heads(4, 2, 61), heads(4, 3, 62)};
  Args qkv_bias = qkv;
  qkv_bias.push_back(normal({2, 3, 4}, 63));
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
       {heads(3, 2, 82)}},
  };
}

std::vector<ErrorCase> attention_errors() {
  const Tensor x = ones({2, 3}), q = ones({1, 2, 3, 4});
  return {
      {"scaled_dot_product_attention",
       "rank",
       call([=] { return scaled_dot_product_attention(x, x, x).output; }),
       {"query", "[2, 3]"}},
      {"scaled_dot_product_attention",
       "widths",
       call([=] {
         return scaled_dot_product_attention(q, ones({1, 2, 3, 5}), q).output;
       }),
       {"width 4", "width 5"}},
      {"scaled_dot_product_attention",
       "lengths",
       call([=] {
         return scaled_dot_product_attention(q, q, ones({1, 2, 5, 4})).output;
       }),
       {"3 keys", "5 values"}},
      {"scaled_dot_product_attention",
       "numbers as a mask",
       call([=] {
         return scaled_dot_product_attention(q, q, q, {.allowed = ones({3, 3})}).output;
       }),
       {"allowed", "bool", "bias"}},
      {"scaled_dot_product_attention",
       "mask as a bias",
       call([=] {
         return scaled_dot_product_attention(q, q, q, {.bias = ones({3, 3}, boolean)}).output;
       }),
       {"bias", "allowed"}},
      {"scaled_dot_product_attention",
       "empty query",
       call([=] {
         return scaled_dot_product_attention(
                    q, q, q, {.allowed = zeros({3, 3}, boolean), .refuse_empty_queries = true})
             .output;
       }),
       {"batch 0", "head 0", "query 0"}},
  };
}

}  // namespace headwise::testing
