// Multi-head attention (Vaswani et al. 2017): project, split into heads, attend, join, project.
#pragma once

#include "headwise/autograd/ops/attention.h"
#include "headwise/autograd/rng.h"
#include "headwise/layers/module.h"

namespace headwise {

struct MultiHeadAttentionOptions {
  int64_t d_model;
  int64_t heads;
  /// Adds b_Q, b_K, b_V and b_O, which start at 0.
  bool bias = false;
};

/// What a forward pass computed, at every named point on the way. Shapes are for batched input; unbatched
/// input (length, d_model) drops the leading B everywhere. All but `weights` lie on the path to the output
/// when input is batched: their gradients and hooks on their cotangents are those of the pass. Without B they
/// are views beside that path, and so is `weights` unless a hook sees it: Module::on_backward sees the
/// cotangents of all.
struct Attended {
  Tensor output;             // (B, L, d_model)
  Tensor weights;            // (B, h, L, S), one matrix per head; undefined if not asked for
  Tensor query, key, value;  // (B, L or S, d_model), projected
  Tensor query_heads, key_heads, value_heads;  // (B, h, L or S, d_k)
  Tensor context;                              // (B, h, L, d_k)
  Tensor concatenated;                         // (B, L, d_model)
  std::vector<EmptyQuery> empty_queries;       // see Attention
};

/// h heads of width d_k = d_model / h over bias-free projections: 4 d_model^2 parameters for every h. Each
/// matrix starts from a Xavier initialisation of its own. Masks, bias, causality and the return of weights
/// are options of the attention op.
///
/// Observation points are the tensors of Attended under their names there: query, key, value, query_heads,
/// key_heads, value_heads, weights, context, concatenated, output, in the order of the computation and always
/// in the shapes of batched input. Attended holds what their hooks left. A hook on weights has them worked
/// out, asked for or not; where one replaces them, or looks at their cotangent, the context is worked out as
/// weights times value_heads, so that the replacement acts and the cotangent is whole.
class MultiHeadAttention : public Module {
 public:
  /// Error, naming both numbers, unless heads divides d_model and both are positive.
  MultiHeadAttention(const MultiHeadAttentionOptions& options, Rng& rng);

  /// query (B, L, d_model), key and value (B, S, d_model), or all without B. Error when ranks, widths or
  /// lengths do not fit, and when an input or a matrix is undefined.
  Attended forward(const Tensor& query, const Tensor& key, const Tensor& value,
                   const AttentionOptions& options = {}) const;
  /// Self-attention.
  Attended forward(const Tensor& x, const AttentionOptions& options = {}) const {
    return forward(x, x, x, options);
  }

  int64_t heads() const { return heads_; }
  int64_t d_model() const { return d_model_; }
  int64_t head_width() const { return d_model_ / heads_; }

  /// Rows of W_Q, W_K or W_V by head: a view (h, d_k, d_model).
  Tensor head_rows(const Tensor& projection) const {
    return projection.view({heads_, head_width(), d_model_});
  }
  /// Columns of W_O by head: a view (d_model, h, d_k).
  Tensor head_columns(const Tensor& projection) const {
    return projection.view({d_model_, heads_, head_width()});
  }

  Tensor W_Q, W_K, W_V, W_O;  // (d_model, d_model), stored (out, in)
  Tensor b_Q, b_K, b_V, b_O;  // (d_model), or undefined

 private:
  void members(Members& m) override;
  Tensor split_heads(const Tensor& x) const;
  void attend(Attended& attended, const AttentionOptions& options) const;

  int64_t d_model_, heads_;
  struct {
    ObservationPoint query, key, value, query_heads, key_heads, value_heads, weights, context, concatenated,
        output;
  } points_;
};

}  // namespace headwise
