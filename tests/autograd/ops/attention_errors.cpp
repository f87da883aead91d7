#include "tests/autograd/error_cases.h"

namespace headwise::testing {

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
