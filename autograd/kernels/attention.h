// Scaled dot-product attention, forward and backward, over strided heads.
//
// A few query rows at a time meet all keys, so that no queries x keys matrix is held unless the caller asks
// for the weights. A row is scored, masked, normalised and blended in one order that depends on its own
// operands alone: asking for weights, the size of a batch and the number of threads change no bit.
#pragma once

#include <cstdint>

namespace headwise::kernels {

/// A (batch, heads, rows, columns) operand; strides count elements and may be 0. data may be null where said.
template <class T>
struct Heads {
  T* data = nullptr;
  int64_t batch_stride = 0, head_stride = 0, row_stride = 0, col_stride = 0;

  T* at(int64_t batch, int64_t head) const { return data + batch * batch_stride + head * head_stride; }
};

struct AttentionSizes {
  int64_t batch, heads, queries, keys, width, value_width;
};

/// What the weights are made of: softmax over the allowed keys of scale q . k + bias.
template <class T>
struct AttentionInputs {
  AttentionSizes sizes;
  Heads<const T> query;  // (batch, heads, queries, width)
  Heads<const T> key;    // (batch, heads, keys, width)
  Heads<const T> value;  // (batch, heads, keys, value_width)
  T scale;
  Heads<const bool> allowed;  // (batch, heads, queries, keys), or null: all are
  Heads<const T> bias;        // the same shape, or null; -infinity forbids a key
  bool causal = false;        // query i sees keys 0 .. i + causal_offset
  int64_t causal_offset = 0;
};

/// Writes output (batch, heads, queries, value_width). `weights`, contiguous (batch, heads, queries, keys),
/// and `empty`, one flag per (batch, head, query) without an allowed key, may be null. An empty query gets a
/// zero row of weights and of output. What a forbidden key holds, NaN included, is never used.
template <class T>
void attention(const AttentionInputs<T>& inputs, Heads<T> output, T* weights, bool* empty);

/// Cotangents of output and, unless null, of the weights; gradients to write, each unless null. `weights` as
/// attention wrote them, or null to work them out again.
template <class T>
struct AttentionGradients {
  Heads<const T> output;
  const T* weights_cotangent = nullptr;
  const T* weights = nullptr;
  Heads<T> query, key, value;
  T* bias = nullptr;  // contiguous (batch, heads, queries, keys)
};
template <class T>
void attention_vjp(const AttentionInputs<T>& inputs, const AttentionGradients<T>& gradients);

}  // namespace headwise::kernels
