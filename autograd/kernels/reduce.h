// Reductions of strided operands.
//
// `kept` walks the outputs (operand 0) and the first term of each (operand 1); the n terms of an output lie
// `stride` elements apart.
#pragma once

#include "headwise/autograd/kernels/strided.h"

namespace headwise::kernels {

/// Sums, in the order of sum.h; n = 0 gives 0.
template <class T>
void sum(const StridedLoop<2>& kept, T* out, const T* in, int64_t n, int64_t stride);

/// The same with the rounding errors added in the end (Compensated in sum.h).
template <class T>
void compensated_sum(const StridedLoop<2>& kept, T* out, const T* in, int64_t n, int64_t stride);

enum class Extreme { smallest, largest };

/// The extreme of n >= 1 terms; NaN when one of them is.
template <class T>
void extreme(Extreme which, const StridedLoop<2>& kept, T* out, const T* in, int64_t n, int64_t stride);

/// The position of the first term that equals the extreme (of the first NaN when there is one).
template <class T>
void extreme_index(Extreme which, const StridedLoop<2>& kept, int64_t* out, const T* in, int64_t n,
                   int64_t stride);

/// The root of the sum of squares, without overflow or underflow on the way; f32 and f64.
template <class T>
void euclidean_norm(const StridedLoop<2>& kept, T* out, const T* in, int64_t n, int64_t stride);

}  // namespace headwise::kernels
