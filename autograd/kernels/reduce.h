// Reductions of strided operands.
#pragma once

#include "headwise/autograd/kernels/strided.h"

namespace headwise::kernels {

/// `kept` walks the outputs (operand 0) and the first term of each (operand 1); the n terms of an output lie
/// `stride` elements apart. Sums run in the order of sum.h; n = 0 gives 0.
template <class T>
void sum(const StridedLoop<2>& kept, T* out, const T* in, int64_t n, int64_t stride);

/// The largest of n >= 1 terms; NaN when one of them is.
template <class T>
void max(const StridedLoop<2>& kept, T* out, const T* in, int64_t n, int64_t stride);

/// The position of the first of the largest terms (of the first NaN when there is one).
template <class T>
void argmax(const StridedLoop<2>& kept, int64_t* out, const T* in, int64_t n, int64_t stride);

}  // namespace headwise::kernels
