// Reading and adding at positions given by i64 tensors. Indices are checked before anything is read: an Error
// names the first that is out of range, its position and the size of the axis. Gradients of elements that are
// read twice add up, in the row-major order of the result.
#pragma once

#include <optional>

#include "headwise/autograd/tensor.h"

namespace headwise {

/// result[.., i, ..] = x[.., index[.., i, ..], ..] along `axis`; index has x's rank and agrees with it in all
/// other sizes.
Tensor gather(const Tensor& x, int axis, const Tensor& index);

/// Zeros of `shape`, with x's elements added where gather along `axis` would have read them: its vjp.
Tensor scatter_add(const Tensor& x, int axis, const Tensor& index, const Shape& shape);

/// The slices x[.., index, ..] along `axis`: the shape of the indices takes the place of the axis, so that
/// x (A, n, B) and indices (I, J) give (A, I, J, B).
Tensor index_select(const Tensor& x, int axis, const Tensor& indices);

/// Rows of a table: table (V, d), indices (...) -> (..., d); index_select along axis 0. The padding row,
/// where one is named, is read as it is and gets no gradient.
Tensor embedding(const Tensor& table, const Tensor& indices, std::optional<int64_t> padding_row = {});

/// indices (...) -> (..., classes): 1 at the index, 0 elsewhere. Carries no gradient.
Tensor one_hot(const Tensor& indices, int64_t classes, DType dtype = f32);

}  // namespace headwise
