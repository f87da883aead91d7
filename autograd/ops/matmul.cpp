#include "headwise/autograd/ops/matmul.h"

#include <optional>

#include "headwise/autograd/kernels/matmul.h"
#include "headwise/autograd/ops/arithmetic.h"
#include "headwise/autograd/ops/creation.h"
#include "headwise/autograd/ops/reduce.h"
#include "headwise/autograd/record.h"

namespace headwise {
namespace {

template <class T>
kernels::MatrixView<T> last_two_axes(const Tensor& x) {
  const int rank = x.rank();
  return {x.pointer<T>(), x.shape()[rank - 2], x.shape()[rank - 1], x.strides()[rank - 2],
          x.strides()[rank - 1]};
}

// Leading axes broadcast to `lead`, and merged where they can be walked with one stride.
struct Batches {
  int64_t count = 1, a_stride = 0, b_stride = 0, c_stride = 0;
};

template <class T>
void multiply(const Tensor& a, const Tensor& b, const Tensor& c) {
  const int lead = c.rank() - 2;
  auto stride = [&](const Tensor& x, int axis) -> int64_t {
    const int own = axis - (c.rank() - x.rank());
    return own < 0 || x.shape()[own] == 1 ? 0 : x.strides()[own];
  };
  // The innermost leading axes that merge become one batched call; the others are counted through.
  Batches inner;
  int outer = lead;
  while (outer > 0) {
    const int axis = outer - 1;
    const int64_t sa = stride(a, axis), sb = stride(b, axis), sc = stride(c, axis);
    if (c.shape()[axis] != 1) {
      if (inner.count == 1) {
        inner = {c.shape()[axis], sa, sb, sc};
      } else if (sa == inner.a_stride * inner.count && sb == inner.b_stride * inner.count &&
                 sc == inner.c_stride * inner.count) {
        inner.count *= c.shape()[axis];
      } else {
        break;
      }
    }
    --outer;
  }
  auto a_view = last_two_axes<const T>(a), b_view = last_two_axes<const T>(b);
  auto c_view = last_two_axes<T>(c);
  std::array<int64_t, max_rank> index{};
  for (;;) {
    kernels::batched_matmul<T>(inner.count, a_view, inner.a_stride, b_view, inner.b_stride, c_view,
                               inner.c_stride);
    int axis = outer - 1;
    for (; axis >= 0; --axis) {
      const bool carry = ++index[static_cast<size_t>(axis)] == c.shape()[axis];
      const int64_t steps = carry ? 1 - c.shape()[axis] : 1;
      a_view.data += steps * stride(a, axis);
      b_view.data += steps * stride(b, axis);
      c_view.data += steps * stride(c, axis);
      if (!carry) break;
      index[static_cast<size_t>(axis)] = 0;
    }
    if (axis < 0) return;
  }
}

// The sizes of all but the last `count` axes.
Shape leading_shape(const Tensor& x, int count) {
  return Shape(std::span(x.shape().begin(), static_cast<size_t>(x.rank() - count)));
}

// The stride between the rows of (B1, .., M, K) read as one (B1 .. M, K) matrix; nothing when they do not lie
// evenly.
std::optional<int64_t> even_row_stride(const Tensor& x) {
  int64_t stride = 0, rows = 1;
  for (int axis = x.rank() - 2; axis >= 0; --axis) {
    if (x.shape()[axis] == 1) continue;
    if (rows == 1) {
      stride = x.strides()[axis];
    } else if (x.strides()[axis] != stride * rows) {
      return std::nullopt;
    }
    rows *= x.shape()[axis];
  }
  return stride;
}

// (B1, .., M, K) with evenly spaced rows, as one matrix of B1 .. M rows.
template <class T>
kernels::MatrixView<T> as_rows(const Tensor& x) {
  const int64_t width = x.shape().back();
  return {x.pointer<T>(), leading_shape(x, 1).numel(), width, *even_row_stride(x), x.strides().back()};
}

Tensor with_even_rows(const Tensor& x) { return even_row_stride(x) ? x : x.contiguous(); }

}  // namespace

// C = A B                dA = dC B^T, dB = A^T dC
Tensor matmul(const Tensor& a, const Tensor& b) {
  require(a.rank() >= 2 && b.rank() >= 2, "matmul: expected at least two axes each, got shapes {} and {}",
          a.shape(), b.shape());
  require_same_dtype("matmul", a, b);
  require(a.size(-1) == b.size(-2), "matmul: shapes {} and {} do not multiply: inner sizes {} and {} differ",
          a.shape(), b.shape(), a.size(-1), b.size(-2));
  require_floating("matmul", a);
  Shape shape = broadcast_shapes("matmul", leading_shape(a, 2), leading_shape(b, 2));
  shape.append(a.size(-2));
  shape.append(b.size(-1));
  Tensor c = empty(shape, a.dtype());
  if (c.numel() > 0) dispatch_floating("matmul", a.dtype(), [&]<class T>() { multiply<T>(a, b, c); });
  return record("matmul", c, inputs(a, b),
                saves(save_if(b.requires_grad(), a), save_if(a.requires_grad(), b)),
                [](Vjp& v, const Tensor& left, const Tensor& right) {
                  const Tensor dc = v.cotangent();
                  if (v.needs(0)) v.give(0, sum_to(matmul(dc, right.transpose(-1, -2)), v.input_shape(0)));
                  if (v.needs(1)) v.give(1, sum_to(matmul(left.transpose(-1, -2), dc), v.input_shape(1)));
                });
}

namespace {

// dW = dy^T x, both read as matrices of rows: (rows, out)^T x (rows, in)
Tensor weight_gradient(const Tensor& dy, const Tensor& x) {
  const int64_t rows = leading_shape(dy, 1).numel(), out = dy.size(-1), in = x.size(-1);
  if (grad_enabled()) return matmul(dy.reshape({rows, out}).transpose(0, 1), x.reshape({rows, in}));
  Tensor dw = empty({out, in}, dy.dtype());
  dispatch_floating("linear", dy.dtype(), [&]<class T>() {
    kernels::matmul<T>(as_rows<const T>(dy).transposed(), as_rows<const T>(x), last_two_axes<T>(dw));
  });
  return dw;
}

}  // namespace

// y = x W^T + b          dx = dy W, dW = dy^T x, db = dy summed over all but the last axis
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  require(weight.rank() == 2, "linear: the weight must have shape (out, in), got {}", weight.shape());
  require(x.rank() >= 1 && x.size(-1) == weight.size(1),
          "linear: an input of shape {} does not fit a weight of shape {} (out, in): "
          "its last axis must be {}",
          x.shape(), weight.shape(), weight.size(1));
  require_same_dtype("linear", x, weight);
  if (bias.defined()) {
    require_same_dtype("linear", weight, bias);
    require(bias.shape() == Shape{weight.size(0)},
            "linear: a bias of shape {} does not fit a weight of shape {} (out, in)", bias.shape(),
            weight.shape());
  }
  Shape shape = x.shape();
  shape[x.rank() - 1] = weight.size(0);
  Tensor y = empty(shape, x.dtype());
  const Tensor input = with_even_rows(x);
  if (y.numel() > 0) {
    if (bias.defined()) y.copy_from(bias.detach());
    dispatch_floating("linear", x.dtype(), [&]<class T>() {
      kernels::matmul<T>(as_rows<const T>(input), last_two_axes<const T>(weight).transposed(), as_rows<T>(y),
                         bias.defined() ? kernels::Into::accumulate : kernels::Into::overwrite);
    });
  }
  return record("linear", y, inputs(x, weight, bias),
                saves(save_if(weight.requires_grad(), input), save_if(x.requires_grad(), weight)),
                [](Vjp& v, const Tensor& saved_x, const Tensor& saved_weight) {
                  const Tensor dy = with_even_rows(v.cotangent());
                  if (v.needs(0)) v.give(0, linear(dy, saved_weight.transpose(0, 1)));
                  if (v.needs(1)) v.give(1, weight_gradient(dy, saved_x));
                  if (v.needs(2)) v.give(2, sum_to(dy, {dy.size(-1)}));
                });
}

}  // namespace headwise
