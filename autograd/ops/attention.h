// Scaled dot-product attention (Vaswani et al. 2017), head by head.
#pragma once

#include <optional>
#include <vector>

#include "headwise/autograd/tensor.h"

namespace headwise {

/// Which keys precede a query. With L queries and S keys: top_left lets query i see keys 0 .. i, bottom_right
/// keys 0 .. i + S - L, so that the last query sees all. The two agree when L = S.
enum class Causal { none, top_left, bottom_right };

struct AttentionOptions {
  /// bool, broadcast to (B, h, L, S): true where a query may see a key.
  Tensor allowed = {};
  /// Added to the scaled scores, of their dtype, broadcast to (B, h, L, S); -infinity forbids a key. Carries
  /// a gradient.
  Tensor bias = {};
  Causal causal = Causal::none;
  /// Multiplies q . k; 1 / sqrt(d_k) by default.
  std::optional<double> scale = {};
  /// Whether to return the weights; without them no L x S matrix is held for more than a few queries.
  bool weights = true;
  /// Throw when a query has no allowed key, naming it by (batch, head, query).
  bool refuse_empty_queries = false;
};

struct EmptyQuery {
  int64_t batch, head, query;
  bool operator==(const EmptyQuery&) const = default;
};

struct Attention {
  Tensor output;   // (B, h, L, d_v)
  Tensor weights;  // (B, h, L, S), undefined unless asked for; both carry gradients
  /// Queries without an allowed key: they get a zero row, and no gradient flows through them.
  std::vector<EmptyQuery> empty_queries;
};

/// softmax(scale q k^T + bias) v over the allowed keys: query (B, h, L, d_k), key (B, h, S, d_k), value
/// (B, h, S, d_v); strided heads are read in place. Asking for the weights changes no bit of the output.
/// Error when shapes or dtypes do not fit, naming the argument.
Attention scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                       const AttentionOptions& options = {});

/// The same written in plain ops.
Attention attention_reference(const Tensor& query, const Tensor& key, const Tensor& value,
                              const AttentionOptions& options = {});

}  // namespace headwise
