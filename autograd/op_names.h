// The names of all differentiable ops. An op that records itself under a name missing here does not compile,
// and the tests demand a row of gradient cases for every name. A line per family in ops/.
#pragma once

#include <string_view>

namespace headwise {

// clang-format off
inline constexpr std::string_view op_names[] = {
    "add", "sub", "mul", "div", "neg", "zero_safe_mul",
    "exp", "log", "sqrt", "square", "abs", "sin", "cos", "tanh", "erf",
    "relu", "gelu", "sigmoid", "silu", "softplus",
    "pow",
    "maximum", "minimum", "clamp",
    "where", "masked_fill",
    "sum",
    "amax", "amin",
    "norm",
    "cumsum",
    "logsumexp", "softmax", "log_softmax",
    "matmul", "linear",
    "view", "permute", "expand", "slice", "pad", "clone", "to", "identity",
    "cat", "flip",
    "gather", "scatter_add", "index_select", "index_select_grad",
    "cross_entropy",
    "mse_loss", "l1_loss", "huber_loss", "bce_with_logits", "kl_div",
    "layer_norm",
    "dropout",
    "scaled_dot_product_attention"};
// clang-format on

/// A name from op_names, checked when the program is compiled.
struct OpName {
  const char* text;
  consteval OpName(const char* name) : text(name) {
    bool known = false;
    for (const std::string_view candidate : op_names) known = known || candidate == name;
    if (!known) throw "add the op to op_names";
  }
};

}  // namespace headwise
