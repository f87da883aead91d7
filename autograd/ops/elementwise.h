// The shared part of elementwise ops: the result, its dtype and the loop over memory.
#pragma once

#include "headwise/autograd/ops/loop.h"

namespace headwise::ops {

/// f(x) for each element; f32 and f64.
template <class F>
Tensor unary(const char* op, const Tensor& x, F f) {
  Tensor y = empty(x.shape(), x.dtype());
  dispatch_floating(op, x.dtype(), [&]<class T>() {
    kernels::map(make_loop<2>({&y, &x}), y.pointer<T>(), x.pointer<const T>(), f);
  });
  return y;
}

/// The same with i64 allowed.
template <class F>
Tensor unary_number(const char* op, const Tensor& x, F f) {
  Tensor y = empty(x.shape(), x.dtype());
  dispatch_number(op, x.dtype(), [&]<class T>() {
    kernels::map(make_loop<2>({&y, &x}), y.pointer<T>(), x.pointer<const T>(), f);
  });
  return y;
}

/// kernel(in, out, n) over the elements of x in row-major order; f32 and f64.
template <class Kernel>
Tensor unary_dense(const char* op, const Tensor& x, Kernel kernel) {
  const Tensor dense = x.detach().contiguous();
  Tensor y = empty(x.shape(), x.dtype());
  dispatch_floating(op, x.dtype(),
                    [&]<class T>() { kernel(dense.pointer<const T>(), y.pointer<T>(), x.numel()); });
  return y;
}

/// f(a, b) with broadcasting; f32, f64 and i64.
template <class F>
Tensor binary(const char* op, const Tensor& a, const Tensor& b, F f) {
  require_same_dtype(op, a, b);
  Tensor y = empty_broadcast(op, a, b, a.dtype());
  dispatch_number(op, a.dtype(), [&]<class T>() {
    kernels::map(make_loop<3>({&y, &a, &b}), y.pointer<T>(), a.pointer<const T>(), b.pointer<const T>(), f);
  });
  return y;
}

}  // namespace headwise::ops
