#include "headwise/autograd/ops/creation.h"

#include <cmath>

namespace headwise {

Tensor full(const Shape& shape, double value, DType dtype) {
  Tensor result = empty(shape, dtype);
  dispatch_any(dtype,
               [&]<class T>() { std::fill_n(result.pointer<T>(), result.numel(), static_cast<T>(value)); });
  return result;
}

Tensor zeros(const Shape& shape, DType dtype) { return full(shape, 0, dtype); }
Tensor ones(const Shape& shape, DType dtype) { return full(shape, 1, dtype); }

Tensor scalar_like(const Tensor& like, double value) {
  require(like.dtype() != i64 || value == std::trunc(value),
          "literal {} is not an integer, but the tensor's dtype is i64; convert the tensor with to()", value);
  return full({}, value, like.dtype());
}

Tensor arange(int64_t count, DType dtype) {
  require(count >= 0, "arange: the count must not be negative, got {}", count);
  Tensor result = empty({count}, dtype);
  dispatch_number("arange", dtype, [&]<class T>() {
    for (int64_t i = 0; i < count; ++i) result.pointer<T>()[i] = static_cast<T>(i);
  });
  return result;
}

Tensor randn(const Shape& shape, Rng& rng, DType dtype) {
  Tensor result = empty(shape, dtype);
  dispatch_floating("randn", dtype, [&]<class T>() {
    rng.fill_normal(std::span(result.pointer<T>(), static_cast<size_t>(result.numel())));
  });
  return result;
}

Tensor rand(const Shape& shape, Rng& rng, DType dtype) {
  Tensor result = empty(shape, dtype);
  dispatch_floating("rand", dtype, [&]<class T>() {
    rng.fill_uniform(std::span(result.pointer<T>(), static_cast<size_t>(result.numel())));
  });
  return result;
}

}  // namespace headwise
