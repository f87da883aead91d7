#include "headwise/autograd/ops/attention.h"

#include <cmath>

#include "headwise/autograd/composed.h"
#include "headwise/autograd/kernels/attention.h"
#include "headwise/autograd/ops/arithmetic.h"
#include "headwise/autograd/ops/creation.h"
#include "headwise/autograd/ops/matmul.h"
#include "headwise/autograd/ops/reduce.h"
#include "headwise/autograd/ops/select.h"
#include "headwise/autograd/ops/softmax.h"

namespace headwise {
namespace {

constexpr const char* op = "scaled_dot_product_attention";

// Up to this many keys the weights are kept for the backward pass, which then need not work them out again.
constexpr int64_t keep_weights_up_to = 512;

void require_operand(const char* name, const Tensor& x, const Tensor& query) {
  require(x.defined(), "{}: {} is undefined", op, name);
  require(x.rank() == 4, "{}: {} must have shape (batch, heads, length, width), got {}", op, name, x.shape());
  require_same_dtype(op, query, x);
  for (const int axis : {0, 1})
    require(x.shape()[axis] == query.shape()[axis], "{}: query of shape {} and {} of shape {} differ in {}",
            op, query.shape(), name, x.shape(), axis == 0 ? "batch" : "heads");
}

void check(const Tensor& query, const Tensor& key, const Tensor& value, const AttentionOptions& options) {
  require_operand("query", query, query);
  require_floating(op, query);
  require_operand("key", key, query);
  require_operand("value", value, query);
  require(key.size(3) == query.size(3), "{}: query of width {} does not fit key of width {}", op,
          query.size(3), key.size(3));
  require(value.size(2) == key.size(2), "{}: {} keys do not fit {} values", op, key.size(2), value.size(2));
  require(options.scale || query.size(3) > 0, "{}: a width of 0 has no default scale; pass one", op);
  const Shape scores{query.size(0), query.size(1), query.size(2), key.size(2)};
  auto require_scores_shape = [&](const char* name, const Tensor& x) {
    require(broadcasts_to(x.shape(), scores),
            "{}: {} of shape {} does not broadcast to (batch, heads, queries, keys) = {}", op, name,
            x.shape(), scores);
  };
  if (options.allowed.defined()) {
    require(options.allowed.dtype() == boolean,
            "{}: `allowed` must be bool (true where a query may see a key), got {}; numbers to be added to "
            "the scores "
            "go into `bias`",
            op, options.allowed.dtype());
    require_scores_shape("allowed", options.allowed);
  }
  if (options.bias.defined()) {
    require(options.bias.dtype() == query.dtype(),
            "{}: `bias` must have the dtype of the query, {}, got {}; a bool mask goes into `allowed`", op,
            query.dtype(), options.bias.dtype());
    require_scores_shape("bias", options.bias);
  }
}

double scale_of(const Tensor& query, const AttentionOptions& options) {
  return options.scale ? *options.scale : 1 / std::sqrt(static_cast<double>(query.size(3)));
}

int64_t causal_offset(int64_t queries, int64_t keys, Causal causal) {
  return causal == Causal::bottom_right ? keys - queries : 0;
}

template <class T>
kernels::Heads<T> heads_of(const Tensor& x) {
  if (!x.defined()) return {};
  const Strides& s = x.strides();
  return {x.pointer<T>(), s[0], s[1], s[2], s[3]};
}

// The operands as the kernels read them; masks are stretched to the shape of the scores without a copy.
struct Operands {
  const Tensor &query, &key, &value;
  Tensor allowed, bias;
  const AttentionOptions& options;

  Operands(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask, const Tensor& added,
           const AttentionOptions& given)
      : query(q), key(k), value(v), options(given) {
    const Shape scores{q.size(0), q.size(1), q.size(2), k.size(2)};
    if (mask.defined()) allowed = mask.detach().expand(scores);
    if (added.defined()) bias = added.detach().expand(scores);
  }

  template <class T>
  kernels::AttentionInputs<T> inputs() const {
    return {{query.size(0), query.size(1), query.size(2), key.size(2), query.size(3), value.size(3)},
            heads_of<const T>(query),
            heads_of<const T>(key),
            heads_of<const T>(value),
            static_cast<T>(scale_of(query, options)),
            heads_of<const bool>(allowed),
            heads_of<const T>(bias),
            options.causal != Causal::none,
            causal_offset(query.size(2), key.size(2), options.causal)};
  }
};

std::vector<EmptyQuery> list_empty(const Tensor& empty, bool refuse) {
  std::vector<EmptyQuery> found;
  const int64_t heads = empty.size(1), queries = empty.size(2);
  for (int64_t i = 0; i < empty.numel(); ++i)
    if (empty.pointer<const bool>()[i])
      found.push_back({i / queries / heads, i / queries % heads, i % queries});
  require(found.empty() || !refuse,
          "{}: {} queries have no allowed key; the first is (batch {}, head {}, query {})", op, found.size(),
          found.empty() ? 0 : found[0].batch, found.empty() ? 0 : found[0].head,
          found.empty() ? 0 : found[0].query);
  return found;
}

bool has_gaps(const AttentionOptions& options) {
  return options.allowed.defined() || options.bias.defined() || options.causal != Causal::none;
}

// 0 x is 0 unless x is not finite.
bool all_finite(const Tensor& x) { return sum(x.detach() * 0.0).to(f64).item<double>() == 0; }

}  // namespace

// Where an operand is not finite, every pair of query and key gets operands of its own, zero where the pair
// is forbidden, so that what stands behind a forbidden pair reaches neither the result nor a gradient.
Attention attention_reference(const Tensor& query, const Tensor& key, const Tensor& value,
                              const AttentionOptions& options) {
  check(query, key, value, options);
  const int64_t queries = query.size(2), keys = key.size(2);
  Tensor allowed = ones({queries, keys}, boolean);
  if (options.causal != Causal::none)
    allowed =
        arange(keys).view({1, keys}) <= arange(queries).view({queries, 1}) +
                                            static_cast<double>(causal_offset(queries, keys, options.causal));
  const Tensor none = zeros({}, boolean);
  if (options.allowed.defined()) allowed = where(options.allowed, allowed, none);
  const Shape shape{query.size(0), query.size(1), queries, keys};
  if (options.bias.defined())
    allowed = where(options.bias.detach() == scalar_like(options.bias, -INFINITY), none, allowed);
  const Tensor hidden = !allowed.expand(shape);
  const bool apart = has_gaps(options) && !(all_finite(query) && all_finite(key) && all_finite(value));
  auto pairs = [&](const Tensor& x, int axis) {
    Shape wide = shape;
    wide.append(x.size(-1));
    return masked_fill(x.unsqueeze(axis).expand(wide), hidden.unsqueeze(-1), 0);
  };
  Tensor scores = apart ? sum(pairs(query, 3) * pairs(key, 2), {-1}) : matmul(query, key.transpose(-1, -2));
  scores = scores * scale_of(query, options);
  if (options.bias.defined()) scores = scores + options.bias;
  Attention result;
  result.weights = softmax(masked_fill(scores, hidden, -INFINITY), -1);
  result.output =
      apart ? sum(result.weights.unsqueeze(-1) * pairs(value, 2), {3}) : matmul(result.weights, value);
  if (!options.weights) result.weights = Tensor();
  return result;
}

// P = softmax(scale q k^T + bias), out = P v
// dv = P^T dout, dP = dout v^T, ds = P (dP - sum_j P dP), dq = scale ds k, dk = scale ds^T q, dbias = ds
Attention scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                       const AttentionOptions& options) {
  check(query, key, value, options);
  const bool recorded = needs_recording(inputs(query, key, value, options.bias));
  const Shape scores{query.size(0), query.size(1), query.size(2), key.size(2)};
  // Laid out as (B, L, h, d_v), so that merging the heads is a view.
  Tensor output =
      empty({query.size(0), query.size(2), query.size(1), value.size(3)}, query.dtype()).transpose(1, 2);
  const bool keep = recorded && key.size(2) <= keep_weights_up_to;
  Tensor weights = options.weights || keep ? empty(scores, query.dtype()) : Tensor();
  const bool gaps = has_gaps(options) || key.size(2) == 0;
  const Tensor empty_queries = gaps ? zeros({scores[0], scores[1], scores[2]}, boolean) : Tensor();
  const Operands operands(query, key, value, options.allowed, options.bias, options);
  dispatch_floating(op, query.dtype(), [&]<class T>() {
    kernels::attention(operands.inputs<T>(), heads_of<T>(output),
                       weights.defined() ? weights.pointer<T>() : nullptr,
                       gaps ? empty_queries.pointer<bool>() : nullptr);
  });
  Attention result;
  if (gaps) result.empty_queries = list_empty(empty_queries, options.refuse_empty_queries);

  const Tensor saved_weights = keep ? weights : Tensor();
  if (!options.weights) weights = Tensor();
  AttentionOptions plain = options;
  plain.allowed = plain.bias = Tensor();
  record_all<2>("scaled_dot_product_attention", {&output, &weights}, inputs(query, key, value, options.bias),
                saves(query, key, value, options.bias, options.allowed, saved_weights),
                [plain](Vjp& v, const Tensor& q, const Tensor& k, const Tensor& val, const Tensor& added,
                        const Tensor& mask, const Tensor& kept) {
                  if (grad_enabled())
                    return give_composed(
                        v, std::array{q, k, val, added},
                        [&](const auto& at) {
                          AttentionOptions again = plain;
                          again.allowed = mask;
                          again.bias = at[3];
                          again.weights = true;
                          const Attention reference = attention_reference(at[0], at[1], at[2], again);
                          return std::vector{reference.output, reference.weights};
                        },
                        2);
                  const Tensor dout = v.cotangent(0);
                  const Tensor dweights = v.has_cotangent(1) ? v.cotangent(1).contiguous() : Tensor();
                  // Gradients of heads take the layout of the heads, so that splitting them back is a view.
                  auto like_heads = [&](size_t input, const Tensor& x) {
                    if (!v.needs(input)) return Tensor();
                    return empty({x.size(0), x.size(2), x.size(1), x.size(3)}, x.dtype()).transpose(1, 2);
                  };
                  const Tensor dq = like_heads(0, q), dk = like_heads(1, k), dv = like_heads(2, val);
                  const Tensor ds =
                      v.needs(3) ? empty({q.size(0), q.size(1), q.size(2), k.size(2)}, q.dtype()) : Tensor();
                  const Operands saved(q, k, val, mask, added, plain);
                  dispatch_floating(op, q.dtype(), [&]<class T>() {
                    auto optional = [](const Tensor& x) { return x.defined() ? x.pointer<T>() : nullptr; };
                    if (q.size(2) == 0) {  // no query writes these
                      for (const Tensor* gradient : inputs(dk, dv))
                        if (gradient->defined()) std::fill_n(gradient->pointer<T>(), gradient->numel(), T{0});
                    }
                    kernels::attention_vjp<T>(
                        saved.inputs<T>(), {heads_of<const T>(dout), optional(dweights), optional(kept),
                                            heads_of<T>(dq), heads_of<T>(dk), heads_of<T>(dv), optional(ds)});
                  });
                  if (v.needs(0)) v.give(0, dq);
                  if (v.needs(1)) v.give(1, dk);
                  if (v.needs(2)) v.give(2, dv);
                  if (v.needs(3)) v.give(3, sum_to(ds, added.shape()));
                });
  result.output = std::move(output);
  result.weights = std::move(weights);
  return result;
}

}  // namespace headwise
