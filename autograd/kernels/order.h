// Order along lines of strided operands.
#pragma once

#include "headwise/autograd/kernels/strided.h"

namespace headwise::kernels {

/// The positions of the first `count` of n elements in rising or falling order, NaN last in both, equal ones
/// in order of position. Elements lie `in_step` apart and positions `out_step`; `lines` walks the first of
/// each line of out (operand 0) and in (operand 1).
template <class T>
void argsort(const StridedLoop<2>& lines, int64_t* out, int64_t out_step, int64_t count, const T* in,
             int64_t in_step, int64_t n, bool descending);

}  // namespace headwise::kernels
