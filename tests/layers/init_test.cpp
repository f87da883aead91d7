// Starting values, and heads that start alike.
#include "headwise/layers/layers.h"
#include "tests/support/tensors.h"

namespace headwise::testing {
namespace {

bool rows_alike(const MultiHeadAttention& layer, const Tensor& w) {
  for (int64_t h = 1; h < layer.heads(); ++h)
    if (!same_bits(layer.head_rows(w).select(0, h), layer.head_rows(w).select(0, 0))) return false;
  return true;
}
bool columns_alike(const MultiHeadAttention& layer, const Tensor& w) {
  for (int64_t h = 1; h < layer.heads(); ++h)
    if (!same_bits(layer.head_columns(w).select(1, h), layer.head_columns(w).select(1, 0))) return false;
  return true;
}

}  // namespace

TEST_CASE("Xavier draws fill their interval evenly", "[init]") {
  Rng rng(1);
  const Tensor w = xavier_uniform(300, 100, rng);
  CHECK(w.shape() == Shape{300, 100});
  const double bound = std::sqrt(6.0 / 400);
  CHECK(amax(w).item<float>() < bound);
  CHECK(amax(w).item<float>() > 0.999 * bound);
  CHECK(amax(-w).item<float>() <= bound);
  CHECK(amax(-w).item<float>() > 0.999 * bound);
  CHECK(std::abs(mean(w * w).item<float>() / (bound * bound / 3) - 1) < 0.03);
  Rng again(1);
  CHECK(same_bits(xavier_uniform(300, 100, again), w));
  const auto n = values(normal({20000}, 3, rng));
  double square = 0;
  for (const double x : n) square += x * x / 20000;
  CHECK(std::abs(square / 9 - 1) < 5 * std::sqrt(2.0 / 20000));
}

TEST_CASE("each matrix of an attention layer is drawn for itself", "[init]") {
  Rng rng(2);
  const MultiHeadAttention layer({16, 4, true}, rng);
  const Tensor* matrices[] = {&layer.W_Q, &layer.W_K, &layer.W_V, &layer.W_O};
  for (const Tensor* a : matrices) {
    CHECK_FALSE(rows_alike(layer, *a));
    for (const Tensor* b : matrices) CHECK((a == b || !same_bits(*a, *b)));
  }
  for (const Tensor* b : {&layer.b_Q, &layer.b_K, &layer.b_V, &layer.b_O}) CHECK(same_bits(*b, zeros({16})));
}

TEST_CASE("tied heads share head 0's weights", "[init]") {
  for (const int64_t heads : {1, 2, 4})
    for (const TiedHeads tied : {TiedHeads::query_key_value, TiedHeads::all}) {
      Rng rng(3);
      MultiHeadAttention layer({8, heads, true}, rng);
      {
        const NoGrad guard;
        layer.b_Q.copy_from(randn({8}, rng));
      }
      const Tensor first_rows = layer.head_rows(layer.W_Q).select(0, 0).clone();
      const Tensor W_O = layer.W_O.clone();
      tie_heads(layer, tied);
      for (const Tensor& w : {layer.W_Q, layer.W_K, layer.W_V}) CHECK(rows_alike(layer, w));
      const Tensor bias = layer.b_Q.view({heads, 8 / heads});
      CHECK(same_bits(bias, bias.slice(0, 0, 1).expand(bias.shape())));
      CHECK(same_bits(layer.head_rows(layer.W_Q).select(0, 0), first_rows));
      if (tied == TiedHeads::all) {
        CHECK(columns_alike(layer, layer.W_O));
        CHECK(same_bits(layer.head_columns(layer.W_O).select(1, 0), layer.head_columns(W_O).select(1, 0)));
      } else {
        CHECK(same_bits(layer.W_O, W_O));
        if (heads > 1) CHECK_FALSE(columns_alike(layer, layer.W_O));
      }
      CHECK(layer.W_Q.is_leaf());
      CHECK(layer.W_Q.requires_grad());
    }
}

TEST_CASE("heads tied in all four matrices have the same gradients to the bit", "[init]") {
  for (const DType dtype : {f32, f64})
    for (const int64_t d_model : {24, 32, 48, 64, 96, 128})
      for (const int64_t heads : {2, 4}) {
        CAPTURE(d_model, heads, name_of(dtype));
        Rng rng(4);
        MultiHeadAttention layer({d_model, heads}, rng);
        layer.to(dtype);
        tie_heads(layer, TiedHeads::all);
        const Tensor x = randn({3, 11, d_model}, rng, dtype), target = randn({3, 11, d_model}, rng, dtype);
        backward(mse_loss(layer.forward(x, {.causal = Causal::top_left}).output, target));
        for (const Tensor& w : {layer.W_Q, layer.W_K, layer.W_V}) CHECK(rows_alike(layer, w.grad()));
        CHECK(columns_alike(layer, layer.W_O.grad()));
      }
}

}  // namespace headwise::testing
