#include "headwise/autograd/ops/arithmetic.h"

#include <cmath>

#include "headwise/autograd/ops/creation.h"
#include "headwise/autograd/ops/elementwise.h"
#include "headwise/autograd/ops/reduce.h"
#include "headwise/autograd/record.h"

namespace headwise {

// y = a + b              da = dy, db = dy
Tensor operator+(const Tensor& a, const Tensor& b) {
  Tensor y = ops::binary("add", a, b, [](auto x, auto z) { return x + z; });
  return record("add", y, inputs(a, b), saves(), [](Vjp& v) {
    if (v.needs(0)) v.give(0, sum_to(v.cotangent(), v.input_shape(0)));
    if (v.needs(1)) v.give(1, sum_to(v.cotangent(), v.input_shape(1)));
  });
}

// y = a - b              da = dy, db = -dy
Tensor operator-(const Tensor& a, const Tensor& b) {
  Tensor y = ops::binary("sub", a, b, [](auto x, auto z) { return x - z; });
  return record("sub", y, inputs(a, b), saves(), [](Vjp& v) {
    if (v.needs(0)) v.give(0, sum_to(v.cotangent(), v.input_shape(0)));
    if (v.needs(1)) v.give(1, sum_to(-v.cotangent(), v.input_shape(1)));
  });
}

// y = a b                da = dy b, db = dy a
Tensor operator*(const Tensor& a, const Tensor& b) {
  Tensor y = ops::binary("mul", a, b, [](auto x, auto z) { return x * z; });
  return record("mul", y, inputs(a, b), saves(save_if(b.requires_grad(), a), save_if(a.requires_grad(), b)),
                [](Vjp& v, const Tensor& left, const Tensor& right) {
                  if (v.needs(0)) v.give(0, sum_to(v.cotangent() * right, v.input_shape(0)));
                  if (v.needs(1)) v.give(1, sum_to(v.cotangent() * left, v.input_shape(1)));
                });
}

// y = a / b              da = dy / b, db = -dy y / b
Tensor operator/(const Tensor& a, const Tensor& b) {
  require_floating("div", a);
  Tensor y = ops::binary("div", a, b, [](auto x, auto z) { return static_cast<decltype(x)>(x / z); });
  return record("div", y, inputs(a, b), saves(b, save_if(b.requires_grad(), y)),
                [](Vjp& v, const Tensor& divisor, const Tensor& quotient) {
                  const Tensor da = zero_safe_mul(v.cotangent(), 1.0 / divisor);
                  if (v.needs(0)) v.give(0, sum_to(da, v.input_shape(0)));
                  if (v.needs(1)) v.give(1, sum_to(-zero_safe_mul(da, quotient), v.input_shape(1)));
                });
}

Tensor zero_safe_mul(const Tensor& a, const Tensor& b) {
  Tensor y = ops::binary("zero_safe_mul", a, b, [](auto x, auto z) {
    return x == 0 && !std::isfinite(static_cast<double>(z)) ? decltype(x){0} : x * z;
  });
  return record("zero_safe_mul", y, inputs(a, b),
                saves(save_if(b.requires_grad(), a), save_if(a.requires_grad(), b)),
                [](Vjp& v, const Tensor& left, const Tensor& right) {
                  if (v.needs(0)) v.give(0, sum_to(zero_safe_mul(v.cotangent(), right), v.input_shape(0)));
                  if (v.needs(1)) v.give(1, sum_to(zero_safe_mul(left, v.cotangent()), v.input_shape(1)));
                });
}

// y = -x                 dx = -dy
Tensor operator-(const Tensor& x) {
  Tensor y = ops::unary_number("neg", x, [](auto a) { return -a; });
  return record("neg", y, inputs(x), saves(), [](Vjp& v) { v.give(0, -v.cotangent()); });
}

Tensor operator+(const Tensor& a, double b) { return a + scalar_like(a, b); }
Tensor operator-(const Tensor& a, double b) { return a - scalar_like(a, b); }
Tensor operator*(const Tensor& a, double b) { return a * scalar_like(a, b); }
Tensor operator/(const Tensor& a, double b) { return a / scalar_like(a, b); }
Tensor operator+(double a, const Tensor& b) { return scalar_like(b, a) + b; }
Tensor operator-(double a, const Tensor& b) { return scalar_like(b, a) - b; }
Tensor operator*(double a, const Tensor& b) { return scalar_like(b, a) * b; }
Tensor operator/(double a, const Tensor& b) { return scalar_like(b, a) / b; }

}  // namespace headwise
