// Tensors from nothing, from values and from random numbers.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <span>

#include "headwise/autograd/rng.h"
#include "headwise/autograd/tensor.h"

namespace headwise {

Tensor full(const Shape& shape, double value, DType dtype = f32);
Tensor zeros(const Shape& shape, DType dtype = f32);
Tensor ones(const Shape& shape, DType dtype = f32);
/// 0, 1, ..., count - 1
Tensor arange(int64_t count, DType dtype = i64);
/// A tensor of rank 0 with the dtype of `like`; Error when that is i64 and `value` is no integer.
Tensor scalar_like(const Tensor& like, double value);

/// Draws from N(0, 1).
Tensor randn(const Shape& shape, Rng& rng, DType dtype = f32);
/// Draws from the uniform distribution on [0, 1).
Tensor rand(const Shape& shape, Rng& rng, DType dtype = f32);

/// Copies `values`, in row-major order; Error unless there are as many as `shape` holds.
template <class T>
Tensor from_values(std::span<const T> values, const Shape& shape) {
  require(static_cast<int64_t>(values.size()) == shape.numel(),
          "from: shape {} holds {} elements, got {} values", shape, shape.numel(), values.size());
  Tensor result = empty(shape, dtype_of<T>);
  std::copy(values.begin(), values.end(), result.template pointer<T>());
  return result;
}
template <class T>
Tensor from(std::initializer_list<T> values) {
  return from_values<T>({values.begin(), values.size()}, Shape{static_cast<int64_t>(values.size())});
}
template <class T>
Tensor from(std::initializer_list<std::initializer_list<T>> rows) {
  const size_t width = rows.size() ? rows.begin()->size() : 0;
  Tensor result = empty({static_cast<int64_t>(rows.size()), static_cast<int64_t>(width)}, dtype_of<T>);
  T* next = result.template pointer<T>();
  for (const auto& row : rows) {
    require(row.size() == width, "from: rows of {} and {} values do not make a matrix", width, row.size());
    next = std::copy(row.begin(), row.end(), next);
  }
  return result;
}

}  // namespace headwise
