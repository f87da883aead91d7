#include "tests/autograd/op_cases.h"

namespace headwise::testing {
namespace {

using Args = std::vector<Tensor>;

// Inputs drawn afresh for each case: the table does not depend on its own order.
Tensor normal(const Shape& shape, uint64_t seed) {
  Rng rng(seed, 17);
  return randn(shape, rng, f64);
}
Tensor positive(const Shape& shape, uint64_t seed) {
  Rng rng(seed, 18);
  return rand(shape, rng, f64) + 0.5;
}
// Distinct values at least 0.1 apart and away from 0, in a shuffled order: no tie and no kink within a step.
Tensor distinct(const Shape& shape, uint64_t seed) {
  Rng rng(seed, 19);
  std::vector<int64_t> order(static_cast<size_t>(shape.numel()));
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int64_t>(i);
  rng.shuffle(order);
  std::vector<double> x;
  for (const int64_t rank : order)
    x.push_back(0.1 * (static_cast<double>(rank) - static_cast<double>(order.size()) / 2) + 0.05);
  return from_values<double>(x, shape);
}
Tensor integers(std::initializer_list<int64_t> values, const Shape& shape) {
  return from_values<int64_t>({values.begin(), values.size()}, shape);
}
Tensor mask(std::initializer_list<int64_t> bits, const Shape& shape) {
  return integers(bits, shape).to(boolean);
}

Tensor heads(int64_t length, int64_t width, uint64_t seed) { return normal({2, 2, length, width}, seed); }

}  // namespace

std::vector<OpCase> op_cases() {
  const Tensor chosen = mask({1, 0, 1, 0, 0, 1}, {2, 3});
  const Tensor rows = integers({1, 1, 2, 0}, {4});
  const Tensor along = integers({0, 2, 2, 1, 1, 0}, {2, 3});
  const Tensor targets = integers({2, 0, 1}, {3});
  const Tensor causal_gaps = mask({1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1}, {3, 4});
  auto attention = [](const AttentionOptions& options) {
    return Function([options](const Args& x) {
      AttentionOptions with_bias = options;
      if (x.size() > 3) with_bias.bias = x[3];
      const Attention a = scaled_dot_product_attention(x[0], x[1], x[2], with_bias);
      return options.weights ? cat({a.output.reshape({-1}), a.weights.reshape({-1})}, 0) : a.output;
    });
  };
  const Args qkv{heads(3, 2, 60), heads(4, 2, 61), heads(4, 3, 62)};
  Args qkv_bias = qkv;
  qkv_bias.push_back(normal({2, 3, 4}, 63));

  return {
      {"add",
       "same shape",
       [](const Args& x) { return x[0] + x[1]; },
       {normal({2, 3}, 1), normal({2, 3}, 2)}},
      {"add",
       "broadcast both ways",
       [](const Args& x) { return x[0] + x[1]; },
       {normal({2, 1, 3}, 3), normal({4, 1}, 4)}},
      {"add", "literal", [](const Args& x) { return 2.0 + x[0]; }, {normal({3}, 5)}},
      {"sub", "broadcast", [](const Args& x) { return x[0] - x[1]; }, {normal({3}, 6), normal({2, 3}, 7)}},
      {"mul", "broadcast", [](const Args& x) { return x[0] * x[1]; }, {normal({2, 1}, 8), normal({1, 3}, 9)}},
      {"mul", "with itself", [](const Args& x) { return x[0] * x[0]; }, {normal({4}, 10)}},
      {"div",
       "broadcast",
       [](const Args& x) { return x[0] / x[1]; },
       {normal({2, 3}, 11), positive({3}, 12)}},
      {"neg", "matrix", [](const Args& x) { return -x[0]; }, {normal({2, 3}, 13)}},
      {"zero_safe_mul",
       "finite",
       [](const Args& x) { return zero_safe_mul(x[0], x[1]); },
       {normal({2, 3}, 14), normal({3}, 15)}},
      {"exp", "transposed", [](const Args& x) { return exp(x[0].transpose(0, 1)); }, {normal({2, 5}, 16)}},
      {"log", "positive", [](const Args& x) { return log(x[0]); }, {positive({2, 3}, 17)}},
      {"sqrt", "positive", [](const Args& x) { return sqrt(x[0]); }, {positive({5}, 18)}},
      {"tanh", "matrix", [](const Args& x) { return tanh(x[0]); }, {normal({2, 3}, 19)}},
      {"relu", "off the kink", [](const Args& x) { return relu(x[0]); }, {distinct({3, 4}, 20)}},
      {"gelu", "matrix", [](const Args& x) { return gelu(x[0]); }, {normal({3, 4}, 21)}},
      {"erf", "matrix", [](const Args& x) { return erf(x[0]); }, {normal({3, 4}, 22)}},
      {"where",
       "both sides",
       [chosen](const Args& x) { return where(chosen, x[0], x[1]); },
       {normal({2, 3}, 23), normal({3}, 24)}},
      {"masked_fill",
       "some",
       [chosen](const Args& x) { return masked_fill(x[0], chosen, 7); },
       {normal({2, 3}, 25)}},
      {"sum", "all", [](const Args& x) { return sum(x[0]); }, {normal({2, 3, 4}, 26)}},
      {"sum",
       "outer and inner axes",
       [](const Args& x) {
         return sum(x[0], {0, -1});
       },
       {normal({2, 3, 4}, 27)}},
      {"sum",
       "mean of one axis",
       [](const Args& x) { return mean(x[0], {1}, true); },
       {normal({2, 3, 4}, 28)}},
      {"max", "one axis", [](const Args& x) { return max(x[0], {1}); }, {distinct({2, 3, 4}, 29)}},
      {"max", "all", [](const Args& x) { return max(x[0]); }, {distinct({3, 4}, 30)}},
      {"logsumexp", "last axis", [](const Args& x) { return logsumexp(x[0], -1); }, {normal({3, 5}, 31)}},
      {"logsumexp",
       "first axis",
       [](const Args& x) { return logsumexp(x[0], 0, true); },
       {normal({3, 5}, 32)}},
      {"softmax", "last axis", [](const Args& x) { return softmax(x[0], -1); }, {normal({3, 5}, 33)}},
      {"softmax", "middle axis", [](const Args& x) { return softmax(x[0], 1); }, {normal({2, 3, 2}, 34)}},
      {"log_softmax", "last axis", [](const Args& x) { return log_softmax(x[0], -1); }, {normal({3, 5}, 35)}},
      {"log_softmax", "first axis", [](const Args& x) { return log_softmax(x[0], 0); }, {normal({3, 5}, 36)}},
      {"matmul",
       "matrices",
       [](const Args& x) { return matmul(x[0], x[1]); },
       {normal({3, 4}, 37), normal({4, 2}, 38)}},
      {"matmul",
       "batched, broadcast",
       [](const Args& x) { return matmul(x[0], x[1]); },
       {normal({2, 1, 3, 4}, 39), normal({3, 4, 2}, 40)}},
      {"matmul",
       "strided heads",
       [](const Args& x) {
         return matmul(x[0].view({2, 3, 2, 2}).transpose(1, 2),
                       x[1].view({2, 3, 2, 2}).permute({0, 2, 3, 1}));
       },
       {normal({2, 3, 4}, 41), normal({2, 3, 4}, 42)}},
      {"linear",
       "with bias",
       [](const Args& x) { return linear(x[0], x[1], x[2]); },
       {normal({2, 3, 4}, 43), normal({5, 4}, 44), normal({5}, 45)}},
      {"linear",
       "one row",
       [](const Args& x) { return linear(x[0], x[1]); },
       {normal({4}, 46), normal({3, 4}, 47)}},
      {"linear",
       "strided input",
       [](const Args& x) { return linear(x[0].transpose(0, 1), x[1]); },
       {normal({4, 2, 3}, 48), normal({2, 3}, 49)}},
      {"view",
       "merged axes",
       [](const Args& x) {
         return x[0].view({6, 2}) * x[0].view({6, 2});
       },
       {normal({2, 3, 2}, 50)}},
      {"permute",
       "three axes",
       [](const Args& x) {
         return x[0].permute({2, 0, 1}) * x[1];
       },
       {normal({2, 3, 4}, 51), normal({4, 2, 3}, 52)}},
      {"expand",
       "new and old axes",
       [](const Args& x) {
         return x[0].expand({2, 3, 4}) * x[1];
       },
       {normal({3, 1}, 53), normal({2, 3, 4}, 54)}},
      {"slice", "middle", [](const Args& x) { return x[0].slice(1, 1, 3); }, {normal({2, 4}, 55)}},
      {"slice",
       "one position, dropped",
       [](const Args& x) { return x[0].select(0, -1); },
       {normal({3, 4}, 56)}},
      // pad is what slice's vjp runs; it is seen when that vjp is differentiated.
      {"pad",
       "through the vjp of slice",
       [](const Args& x) {
         const Tensor leaf = x[0].requires_grad() ? x[0] : x[0].clone().set_requires_grad(true);
         const GradMode recording(true);
         const Tensor part = leaf.slice(0, 1, 3);
         return grad(sum(part * part * part), {leaf}, {.create_graph = true})[0];
       },
       {normal({4, 2}, 57)}},
      {"clone",
       "of a transpose",
       [](const Args& x) { return x[0].transpose(0, 1).contiguous() * x[1]; },
       {normal({2, 3}, 58), normal({3, 2}, 59)}},
      {"to",
       "through f64 and back",
       [](const Args& x) { return x[0].to(f64).to(f64) * 2.0; },
       {normal({3}, 64)}},
      {"cat",
       "three along the middle",
       [](const Args& x) { return cat(x, 1); },
       {normal({2, 1, 2}, 65), normal({2, 3, 2}, 66), normal({2, 2, 2}, 67)}},
      {"identity", "values", [](const Args& x) { return identity(x[0]) * x[0]; }, {normal({3}, 68)}},
      {"gather",
       "last axis",
       [along](const Args& x) { return gather(x[0], 1, along); },
       {normal({2, 3}, 69)}},
      {"scatter_add",
       "repeated targets",
       [along](const Args& x) {
         return scatter_add(x[0], 1, along, {2, 3});
       },
       {normal({2, 3}, 70)}},
      {"embedding",
       "repeated rows",
       [rows](const Args& x) { return embedding(x[0], rows); },
       {normal({3, 2}, 71)}},
      {"embedding_grad",
       "through the vjp of embedding",
       [rows](const Args& x) {
         const Tensor leaf = x[0].requires_grad() ? x[0] : x[0].clone().set_requires_grad(true);
         const GradMode recording(true);
         const Tensor picked = embedding(leaf, rows);
         return grad(sum(picked * picked * picked), {leaf}, {.create_graph = true})[0];
       },
       {normal({3, 2}, 72)}},
      {"cross_entropy",
       "mean",
       [targets](const Args& x) { return cross_entropy(x[0], targets).loss; },
       {normal({3, 4}, 73)}},
      {"cross_entropy",
       "sum, smoothed, weighted, one ignored",
       [targets](const Args& x) {
         return cross_entropy(x[0], targets,
                              {.ignore_index = 0,
                               .label_smoothing = 0.2,
                               .class_weights = from({0.5, 1.0, 2.0}),
                               .reduction = Reduction::sum})
             .loss;
       },
       {normal({3, 3}, 74)}},
      {"mse_loss",
       "both sides",
       [](const Args& x) { return mse_loss(x[0], x[1]); },
       {normal({2, 3}, 75), normal({2, 3}, 76)}},
      {"layer_norm",
       "with gain and offset",
       [](const Args& x) { return layer_norm(x[0], x[1], x[2]); },
       {normal({2, 3, 5}, 77), normal({5}, 78), normal({5}, 79)}},
      {"layer_norm", "plain", [](const Args& x) { return layer_norm(x[0], {}, {}); }, {normal({3, 4}, 80)}},
      {"dropout",
       "one mask",
       [](const Args& x) {
         Rng rng(5);
         return dropout(x[0], 0.4, rng);
       },
       {normal({4, 5}, 81)}},
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

}  // namespace headwise::testing
