#include "headwise/layers/init.h"

#include <cmath>

#include "headwise/autograd/grad_mode.h"
#include "headwise/autograd/ops/arithmetic.h"
#include "headwise/autograd/ops/creation.h"
#include "headwise/layers/multi_head_attention.h"

namespace headwise {

Tensor uniform(const Shape& shape, double bound, Rng& rng) { return rand(shape, rng) * (2 * bound) - bound; }

Tensor normal(const Shape& shape, double deviation, Rng& rng) { return randn(shape, rng) * deviation; }

Tensor xavier_uniform(int64_t out, int64_t in, Rng& rng) {
  return uniform({out, in}, std::sqrt(6.0 / static_cast<double>(in + out)), rng);
}

void tie_heads(MultiHeadAttention& attention, TiedHeads tied) {
  const NoGrad guard;
  // Overwrites every head along `axis` by the first one.
  auto repeat_first = [](Tensor heads, int axis) { heads.copy_from(heads.slice(axis, 0, 1).clone()); };
  for (const Tensor& projection : {attention.W_Q, attention.W_K, attention.W_V})
    repeat_first(attention.head_rows(projection), 0);
  for (const Tensor& bias : {attention.b_Q, attention.b_K, attention.b_V})
    if (bias.defined()) repeat_first(bias.view({attention.heads(), attention.head_width()}), 0);
  if (tied == TiedHeads::all) repeat_first(attention.head_columns(attention.W_O), 1);
}

}  // namespace headwise
