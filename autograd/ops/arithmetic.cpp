#include "headwise/autograd/ops/arithmetic.h"

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
                  if (v.needs(0)) v.give(0, sum_to(zero_safe_mul(v.cotangent(), right), v.input_shape(0)));
                  if (v.needs(1)) v.give(1, sum_to(zero_safe_mul(v.cotangent(), left), v.input_shape(1)));
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

namespace {

// Whose zero makes a product 0, whatever the other factor is.
enum class Zero { of_left, of_either };

// y = a b                da = dy b, db = dy a; a is a cotangent itself, so that in db both zeros count
template <Zero zero>
Tensor guarded_product(const Tensor& a, const Tensor& b) {
  Tensor y = ops::binary("zero_safe_mul", a, b, [](auto x, auto z) {
    const auto product = static_cast<decltype(x)>(x * z);
    const bool none = x == 0 || (zero == Zero::of_either && z == 0);
    return none && product != product ? decltype(x){0} : product;
  });
  return record(
      "zero_safe_mul", y, inputs(a, b), saves(save_if(b.requires_grad(), a), save_if(a.requires_grad(), b)),
      [](Vjp& v, const Tensor& left, const Tensor& right) {
        if (v.needs(0)) v.give(0, sum_to(guarded_product<zero>(v.cotangent(), right), v.input_shape(0)));
        if (v.needs(1))
          v.give(1, sum_to(guarded_product<Zero::of_either>(v.cotangent(), left), v.input_shape(1)));
      });
}

}  // namespace

Tensor zero_safe_mul(const Tensor& a, const Tensor& b) { return guarded_product<Zero::of_left>(a, b); }

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
