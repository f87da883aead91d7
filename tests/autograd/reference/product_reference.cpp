#include "tests/autograd/reference/reference_ops.h"

namespace headwise::testing {
namespace {

using Args = std::vector<Tensor>;

// Output and weights, flattened one after the other.
Tensor attention(const Args& x, const Json& a) {
  const std::map<std::string, Causal> causal{
      {"none", Causal::none}, {"top_left", Causal::top_left}, {"bottom_right", Causal::bottom_right}};
  const Attention attended =
      scaled_dot_product_attention(x[0], x[1], x[2],
                                   {.allowed = a.contains("allowed") ? mask_of(a["allowed"]) : Tensor(),
                                    .bias = x.size() > 3 ? x[3] : Tensor(),
                                    .causal = causal.at(a["causal"]),
                                    .scale = optional_number<double>(a, "scale")});
  return cat({attended.output.reshape({-1}), attended.weights.reshape({-1})}, 0);
}

}  // namespace

ReferenceOps product_reference_ops() {
  return {
      {"matmul", [](const Args& x, const Json&) { return matmul(x[0], x[1]); }},
      {"linear",
       [](const Args& x, const Json&) { return linear(x[0], x[1], x.size() > 2 ? x[2] : Tensor()); }},
      {"einsum",
       [](const Args& x, const Json& a) {
         const auto spec = a["spec"].get<std::string>();
         return x.size() == 1 ? einsum(spec, x[0]) : einsum(spec, x[0], x[1]);
       }},
      {"outer", [](const Args& x, const Json&) { return outer(x[0], x[1]); }},
      {"scaled_dot_product_attention", attention},
  };
}

}  // namespace headwise::testing
