// Running sums of strided operands.
#pragma once

#include "headwise/autograd/kernels/strided.h"

namespace headwise::kernels {

/// out[i] = in[0] + .. + in[i] for lines of n elements, which lie `out_step` and `in_step` apart; `lines`
/// walks the first element of each line of out (operand 0) and in (operand 1). Added in this order; sums of
/// f32 are carried in f64 and rounded once each.
template <class T>
void cumsum(const StridedLoop<2>& lines, T* out, int64_t out_step, const T* in, int64_t in_step, int64_t n);

}  // namespace headwise::kernels
