#include "headwise/autograd/ops/select.h"

#include "headwise/autograd/ops/creation.h"
#include "headwise/autograd/ops/loop.h"
#include "headwise/autograd/ops/reduce.h"
#include "headwise/autograd/record.h"

namespace headwise {
namespace {

template <class F>
Tensor compare(const char* op, const Tensor& a, const Tensor& b, F f) {
  require_same_dtype(op, a, b);
  Tensor y = empty_broadcast(op, a, b, boolean);
  dispatch_any(a.dtype(), [&]<class T>() {
    kernels::map(ops::make_loop<3>({&y, &a, &b}), y.pointer<bool>(), a.pointer<const T>(),
                 b.pointer<const T>(), f);
  });
  return y;
}

void require_mask(const char* op, const Tensor& mask) {
  require(mask.dtype() == boolean, "{}: the mask must be bool, got {}", op, mask.dtype());
}

template <class F>
Tensor combine(const char* op, const Tensor& a, const Tensor& b, F f) {
  require_mask(op, a);
  require_mask(op, b);
  Tensor y = empty_broadcast(op, a, b, boolean);
  kernels::map(ops::make_loop<3>({&y, &a, &b}), y.pointer<bool>(), a.pointer<const bool>(),
               b.pointer<const bool>(), f);
  return y;
}

// Loops over bytes run as vectors, loops over bool do not.
const uint8_t* bytes_of(const Tensor& mask) { return mask.pointer<const uint8_t>(); }

}  // namespace

Tensor operator==(const Tensor& a, const Tensor& b) {
  return compare("equal", a, b, [](auto x, auto y) { return x == y; });
}
Tensor operator!=(const Tensor& a, const Tensor& b) {
  return compare("not_equal", a, b, [](auto x, auto y) { return x != y; });
}
Tensor operator<(const Tensor& a, const Tensor& b) {
  return compare("less", a, b, [](auto x, auto y) { return x < y; });
}
Tensor operator<=(const Tensor& a, const Tensor& b) {
  return compare("less_equal", a, b, [](auto x, auto y) { return x <= y; });
}
Tensor operator>(const Tensor& a, const Tensor& b) {
  return compare("greater", a, b, [](auto x, auto y) { return x > y; });
}
Tensor operator>=(const Tensor& a, const Tensor& b) {
  return compare("greater_equal", a, b, [](auto x, auto y) { return x >= y; });
}
Tensor operator==(const Tensor& a, double b) { return a == scalar_like(a, b); }
Tensor operator!=(const Tensor& a, double b) { return a != scalar_like(a, b); }
Tensor operator<(const Tensor& a, double b) { return a < scalar_like(a, b); }
Tensor operator<=(const Tensor& a, double b) { return a <= scalar_like(a, b); }
Tensor operator>(const Tensor& a, double b) { return a > scalar_like(a, b); }
Tensor operator>=(const Tensor& a, double b) { return a >= scalar_like(a, b); }

Tensor operator!(const Tensor& mask) {
  require_mask("not", mask);
  Tensor y = empty(mask.shape(), boolean);
  kernels::map(ops::make_loop<2>({&y, &mask}), y.pointer<bool>(), bytes_of(mask),
               [](uint8_t b) { return b == 0; });
  return y;
}
Tensor logical_and(const Tensor& a, const Tensor& b) {
  return combine("logical_and", a, b, [](bool x, bool y) { return x && y; });
}
Tensor logical_or(const Tensor& a, const Tensor& b) {
  return combine("logical_or", a, b, [](bool x, bool y) { return x || y; });
}

Tensor any(const Tensor& mask, Axes axes, bool keepdim) {
  require_mask("any", mask);
  return sum(mask.to(i64), axes, keepdim) > 0.0;
}
Tensor all(const Tensor& mask, Axes axes, bool keepdim) {
  require_mask("all", mask);
  return sum((!mask).to(i64), axes, keepdim) == 0.0;
}

// y = mask ? a : b       da = mask ? dy : 0, db = mask ? 0 : dy
Tensor where(const Tensor& mask, const Tensor& a, const Tensor& b) {
  require_mask("where", mask);
  require_same_dtype("where", a, b);
  const Shape shape =
      broadcast_shapes("where", mask.shape(), broadcast_shapes("where", a.shape(), b.shape()));
  Tensor y = empty(shape, a.dtype());
  dispatch_any(a.dtype(), [&]<class T>() {
    kernels::map(ops::make_loop<4>({&y, &mask, &a, &b}), y.pointer<T>(), bytes_of(mask), a.pointer<const T>(),
                 b.pointer<const T>(), [](uint8_t m, T x, T z) { return m ? x : z; });
  });
  return record("where", y, inputs(a, b), saves(mask), [](Vjp& v, const Tensor& chosen) {
    if (v.needs(0)) v.give(0, sum_to(masked_fill(v.cotangent(), !chosen, 0), v.input_shape(0)));
    if (v.needs(1)) v.give(1, sum_to(masked_fill(v.cotangent(), chosen, 0), v.input_shape(1)));
  });
}

// y = mask ? value : x   dx = mask ? 0 : dy
Tensor masked_fill(const Tensor& x, const Tensor& mask, double value) {
  require_mask("masked_fill", mask);
  require(broadcasts_to(mask.shape(), x.shape()),
          "masked_fill: the mask of shape {} must broadcast to x of shape {}", mask.shape(), x.shape());
  Tensor y = empty(x.shape(), x.dtype());
  dispatch_any(x.dtype(), [&]<class T>() {
    kernels::map(ops::make_loop<3>({&y, &x, &mask}), y.pointer<T>(), x.pointer<const T>(), bytes_of(mask),
                 [value = static_cast<T>(value)](T a, uint8_t m) { return m ? value : a; });
  });
  return record("masked_fill", y, inputs(x), saves(mask),
                [](Vjp& v, const Tensor& hidden) { v.give(0, masked_fill(v.cotangent(), hidden, 0)); });
}

}  // namespace headwise
