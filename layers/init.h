// Starting values. They are drawn in f32; a model in f64 is one converted by to(f64), so both start alike.
#pragma once

#include "headwise/autograd/rng.h"
#include "headwise/autograd/tensor.h"

namespace headwise {

class MultiHeadAttention;

/// Uniform on [-bound, bound).
Tensor uniform(const Shape& shape, double bound, Rng& rng);
/// N(0, deviation^2).
Tensor normal(const Shape& shape, double deviation, Rng& rng);
/// Uniform on +-sqrt(6 / (in + out)) for a weight of shape (out, in) (Glorot and Bengio 2010).
Tensor xavier_uniform(int64_t out, int64_t in, Rng& rng);

/// Which weights the heads of a layer share at the start.
enum class TiedHeads { query_key_value, all };

/// Copies head 0's rows of W_Q, W_K and W_V, and with `all` its columns of W_O, over those of the other
/// heads. Heads tied in all four stay identical for ever: nothing in their gradients tells them apart.
void tie_heads(MultiHeadAttention& attention, TiedHeads tied);

}  // namespace headwise
