// What the ops that reduce over axes share: which axes, which shapes, and where the terms lie.
#pragma once

#include <array>
#include <span>

#include "headwise/autograd/kernels/strided.h"
#include "headwise/autograd/tensor.h"

namespace headwise::ops {

/// Which axes of a shape are reduced. An empty list of axes means all of them; Error names `op` for an axis
/// out of range or named twice.
struct Reduction {
  std::array<bool, max_rank> reduced{};
  Shape kept_shape;  // reduced axes have size 1
  Shape result;      // as asked for by keepdim
  int64_t terms = 1;

  Reduction(const char* op, const Shape& shape, std::span<const int> axes, bool keepdim);
  /// Error when there are outputs without a single term.
  void require_terms(const char* op, const Shape& shape) const;
};

/// A loop over the outputs (operand 0) and the first term of each (operand 1); the terms of an output lie
/// `stride` elements of `source` apart.
struct Terms {
  kernels::StridedLoop<2> loop;
  Tensor source;
  int64_t count;
  int64_t stride;
};

/// The terms of x, copied where the reduced axes do not lie evenly in memory.
Terms terms_of(const Reduction& reduction, const Tensor& x, const Tensor& out);

/// A new tensor of `dtype` whose elements kernel.operator()<T>(loop, out, in, count, stride) computes from
/// their terms, T being x's element type and `out` the tensor itself. Error names `op` unless T is a number.
template <class Kernel>
Tensor reduce(const char* op, const Reduction& reduction, const Tensor& x, DType dtype, Kernel&& kernel) {
  Tensor y = empty(reduction.result, dtype);
  dispatch_number(op, x.dtype(), [&]<class T>() {
    if (y.numel() == 0) return;
    const Terms terms = terms_of(reduction, x.detach(), y);
    kernel.template operator()<T>(terms.loop, y, terms.source.template pointer<const T>(), terms.count,
                                  terms.stride);
  });
  return y;
}

}  // namespace headwise::ops
