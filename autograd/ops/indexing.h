// Reading and adding at positions given by i64 tensors. Indices are checked before anything is read.
#pragma once

#include "headwise/autograd/tensor.h"

namespace headwise {

/// result[.., i, ..] = x[.., index[.., i, ..], ..] along `axis`; index has x's rank and agrees with it in all
/// other sizes. Error names the first index out of range, its position and the size of the axis.
Tensor gather(const Tensor& x, int axis, const Tensor& index);

/// Zeros of `shape`, with x's elements added where gather along `axis` would have read them: its vjp.
/// Elements with one target are added in row-major order.
Tensor scatter_add(const Tensor& x, int axis, const Tensor& index, const Shape& shape);

/// Rows of a table: table (V, d), indices (...) of i64 -> (..., d). Repeated indices add up in the gradient.
Tensor embedding(const Tensor& table, const Tensor& indices);

}  // namespace headwise
