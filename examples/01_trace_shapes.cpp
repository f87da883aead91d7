// The dataflow of multi-head attention with the shape at every point: project, split, attend, concat,
// project.
//
//   01_trace_shapes [d_model [heads [batch [length]]]]
#include <cstdlib>

#include "headwise/autograd/autograd.h"
#include "headwise/layers/layers.h"

using namespace headwise;

namespace {

void show(const char* step, const char* how, const char* name, const Tensor& x) {
  fmt::print("{:<8} {:<34} {:<12} {}\n", step, how, name, x.shape());
}

void trace(int64_t d_model, int64_t heads, int64_t batch, int64_t length) {
  Rng rng(1);
  MultiHeadAttention attention({.d_model = d_model, .heads = heads}, rng);
  const Tensor x = randn({batch, length, d_model}, rng);
  const Attended attended = attention.forward(x);

  fmt::print("d_model = {}, heads = {}, d_k = {}\n\n", d_model, heads, attention.head_width());
  show("", "the input", "x", x);
  show("project", "Q = x W_Q^T", "Q", attended.query);
  show("", "K = x W_K^T", "K", attended.key);
  show("", "V = x W_V^T", "V", attended.value);
  show("split", "view(B, T, h, d_k).transpose(1, 2)", "Q_heads", attended.query_heads);
  show("", "", "K_heads", attended.key_heads);
  show("", "", "V_heads", attended.value_heads);
  show("attend", "softmax(Q K^T / sqrt(d_k))", "weights", attended.weights);
  show("", "weights V", "context", attended.context);
  show("concat", "transpose(1, 2).reshape(B, T, d)", "concat", attended.concatenated);
  show("project", "concat W_O^T", "output", attended.output);

  fmt::print("\nThe same memory seen head by head:\n");
  show("", "rows of W_Q", "(h, d_k, d)", attention.head_rows(attention.W_Q));
  show("", "head 0's share of them", "(d_k, d)", attention.head_rows(attention.W_Q).select(0, 0));
  show("", "columns of W_O", "(d, h, d_k)", attention.head_columns(attention.W_O));

  int64_t projections = 0;
  for (const auto& [name, parameter] : attention.named_parameters())
    if (name != "W_O") projections += parameter.numel();
  fmt::print("\n{} parameters, whatever the number of heads: {} in W_Q, W_K and W_V, {} in W_O\n",
             attention.parameter_count(), projections, attention.W_O.numel());
}

}  // namespace

int main(int argc, char** argv) {
  auto argument = [&](int i, int64_t otherwise) { return i < argc ? std::atoll(argv[i]) : otherwise; };
  try {
    trace(argument(1, 8), argument(2, 2), argument(3, 1), argument(4, 4));
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
