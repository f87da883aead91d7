#include "headwise/layers/multi_head_attention.h"

#include "headwise/autograd/ops/creation.h"
#include "headwise/autograd/ops/matmul.h"
#include "headwise/layers/init.h"

namespace headwise {

MultiHeadAttention::MultiHeadAttention(const MultiHeadAttentionOptions& options, Rng& rng)
    : d_model_(options.d_model), heads_(options.heads) {
  require(d_model_ > 0 && heads_ > 0,
          "MultiHeadAttention: d_model and heads must be positive, got d_model = {} and heads = {}", d_model_,
          heads_);
  require(d_model_ % heads_ == 0, "MultiHeadAttention: d_model = {} is not divisible by heads = {}", d_model_,
          heads_);
  for (Tensor* projection : {&W_Q, &W_K, &W_V, &W_O})
    *projection = parameter(xavier_uniform(d_model_, d_model_, rng));
  if (options.bias)
    for (Tensor* bias : {&b_Q, &b_K, &b_V, &b_O}) *bias = parameter(zeros({d_model_}));
}

// (B, T, d_model) -> (B, h, T, d_k), a view
Tensor MultiHeadAttention::split_heads(const Tensor& x) const {
  return x.view({x.size(0), x.size(1), heads_, head_width()}).transpose(1, 2);
}

Attended MultiHeadAttention::forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                     const AttentionOptions& options) const {
  for (const auto& [name, x] : {std::pair<const char*, const Tensor*>{"query", &query},
                                {"key", &key},
                                {"value", &value},
                                {"W_Q", &W_Q},
                                {"W_K", &W_K},
                                {"W_V", &W_V},
                                {"W_O", &W_O}})
    require(x->defined(), "MultiHeadAttention: {} is undefined", name);
  const bool batched = query.rank() == 3;
  auto check = [&](const char* name, const Tensor& x) {
    require(x.rank() == query.rank() && (x.rank() == 2 || x.rank() == 3),
            "MultiHeadAttention: query of shape {} and {} of shape {} must both be (batch, length, d_model) "
            "or (length, "
            "d_model)",
            query.shape(), name, x.shape());
    require(x.size(-1) == d_model_, "MultiHeadAttention: {} of shape {} has width {}, but d_model is {}",
            name, x.shape(), x.size(-1), d_model_);
    require(!batched || x.size(0) == query.size(0),
            "MultiHeadAttention: query of shape {} and {} of shape {} differ in batch size", query.shape(),
            name, x.shape());
  };
  check("query", query);
  check("key", key);
  check("value", value);
  if (!batched) {
    Attended attended = forward(query.unsqueeze(0), key.unsqueeze(0), value.unsqueeze(0), options);
    for (Tensor* point : {&attended.output, &attended.weights, &attended.query, &attended.key,
                          &attended.value, &attended.query_heads, &attended.key_heads, &attended.value_heads,
                          &attended.context, &attended.concatenated})
      if (point->defined()) *point = point->squeeze(0);
    return attended;
  }

  Attended attended;
  attended.query = points_.query(linear(query, W_Q, b_Q));  // (B, L, d_model)
  attended.key = points_.key(linear(key, W_K, b_K));        // (B, S, d_model)
  attended.value = points_.value(linear(value, W_V, b_V));
  attended.query_heads = points_.query_heads(split_heads(attended.query));  // (B, h, L, d_k)
  attended.key_heads = points_.key_heads(split_heads(attended.key));        // (B, h, S, d_k)
  attended.value_heads = points_.value_heads(split_heads(attended.value));
  attend(attended, options);
  attended.concatenated =  // (B, L, d_model)
      points_.concatenated(attended.context.transpose(1, 2).reshape(query.shape()));
  attended.output = points_.output(linear(attended.concatenated, W_O, b_O));
  return attended;
}

// Fills in weights (B, h, L, S), context (B, h, L, d_k) and empty_queries.
void MultiHeadAttention::attend(Attended& attended, const AttentionOptions& options) const {
  AttentionOptions observed = options;
  observed.weights = options.weights || points_.weights.observed();
  Attention attention =
      scaled_dot_product_attention(attended.query_heads, attended.key_heads, attended.value_heads, observed);
  if (observed.weights) {
    const Tensor weights = points_.weights(attention.weights);
    // Other weights, or the same at a node that collects their whole cotangent.
    if (weights.data() != attention.weights.data()) attention.output = matmul(weights, attended.value_heads);
    if (options.weights) attended.weights = weights;
  }
  attended.context = points_.context(std::move(attention.output));
  attended.empty_queries = std::move(attention.empty_queries);
}

void MultiHeadAttention::members(Members& m) {
  m.parameter("W_Q", W_Q);
  m.parameter("W_K", W_K);
  m.parameter("W_V", W_V);
  m.parameter("W_O", W_O);
  m.parameter("b_Q", b_Q);
  m.parameter("b_K", b_K);
  m.parameter("b_V", b_V);
  m.parameter("b_O", b_O);
  m.point("query", points_.query);
  m.point("key", points_.key);
  m.point("value", points_.value);
  m.point("query_heads", points_.query_heads);
  m.point("key_heads", points_.key_heads);
  m.point("value_heads", points_.value_heads);
  m.point("weights", points_.weights);
  m.point("context", points_.context);
  m.point("concatenated", points_.concatenated);
  m.point("output", points_.output);
}

}  // namespace headwise
