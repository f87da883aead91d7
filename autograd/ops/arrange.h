// Joining, cutting and rearranging along axes; every dtype, and any axis may count from the end. Pieces of
// split and chunk are views of x; all other results are copies.
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "headwise/autograd/ops/reduce.h"
#include "headwise/autograd/tensor.h"

namespace headwise {

/// Tensors joined along an axis; they agree in dtype and in all other sizes.
Tensor cat(std::span<const Tensor> tensors, int axis);
Tensor cat(std::initializer_list<Tensor> tensors, int axis);

/// Tensors of one shape and dtype side by side along a new axis, which is axis `axis` of the result.
Tensor stack(std::span<const Tensor> tensors, int axis);
Tensor stack(std::initializer_list<Tensor> tensors, int axis);

/// Pieces of the sizes given, in order, which must add up to the size of the axis.
std::vector<Tensor> split(const Tensor& x, std::span<const int64_t> sizes, int axis);
std::vector<Tensor> split(const Tensor& x, std::initializer_list<int64_t> sizes, int axis);
/// Pieces of `size` >= 1 each, of which the last may be smaller; one empty piece of an empty axis.
std::vector<Tensor> split(const Tensor& x, int64_t size, int axis);
/// The fewest pieces of equal size, but for a smaller last one, that are no more than `count` >= 1: 6 in 4
/// chunks are 2, 2, 2. An empty axis gives `count` empty pieces.
std::vector<Tensor> chunk(const Tensor& x, int64_t count, int axis);

/// The order of elements reversed along each of the axes; along all of them when none is named.
Tensor flip(const Tensor& x, Axes axes = {});

/// result[(i + shift) mod n] = x[i] along each axis with its shift, which may be negative.
Tensor roll(const Tensor& x, std::initializer_list<int64_t> shifts, Axes axes);

/// x laid out counts[i] times along axis i. More counts than axes count for new leading axes; fewer are an
/// Error.
Tensor repeat(const Tensor& x, const Shape& counts);

/// Zeros above a diagonal of the last two axes: x[.., i, j] is kept where j - i <= diagonal. 0 is the main
/// diagonal, positive ones lie above it. What is zeroed passes no gradient, be it NaN or infinite.
Tensor tril(const Tensor& x, int64_t diagonal = 0);
/// Zeros below a diagonal: x[.., i, j] is kept where j - i >= diagonal.
Tensor triu(const Tensor& x, int64_t diagonal = 0);

}  // namespace headwise
