#include "headwise/autograd/ops/math.h"

#include <cmath>
#include <numbers>

#include "headwise/autograd/kernels/exp.h"
#include "headwise/autograd/ops/arithmetic.h"
#include "headwise/autograd/ops/elementwise.h"
#include "headwise/autograd/record.h"

namespace headwise {

// y = e^x                dx = dy y
Tensor exp(const Tensor& x) {
  Tensor y = ops::unary_dense("exp", x, [](auto... span) { kernels::exp(span...); });
  return record("exp", y, inputs(x), saves(y),
                [](Vjp& v, const Tensor& result) { v.give(0, zero_safe_mul(v.cotangent(), result)); });
}

// y = ln x               dx = dy / x
Tensor log(const Tensor& x) {
  Tensor y = ops::unary("log", x, [](auto a) { return std::log(a); });
  return record("log", y, inputs(x), saves(x),
                [](Vjp& v, const Tensor& input) { v.give(0, zero_safe_mul(v.cotangent(), 1.0 / input)); });
}

// y = x^(1/2)            dx = dy / (2 y)
Tensor sqrt(const Tensor& x) {
  Tensor y = ops::unary("sqrt", x, [](auto a) { return std::sqrt(a); });
  return record("sqrt", y, inputs(x), saves(y),
                [](Vjp& v, const Tensor& result) { v.give(0, zero_safe_mul(v.cotangent(), 0.5 / result)); });
}

// y = x^2                dx = dy 2 x
Tensor square(const Tensor& x) {
  Tensor y = ops::unary_number("square", x, [](auto a) { return a * a; });
  return record("square", y, inputs(x), saves(x),
                [](Vjp& v, const Tensor& input) { v.give(0, zero_safe_mul(v.cotangent(), input * 2.0)); });
}

// y = |x|                dx = dy sign x
Tensor abs(const Tensor& x) {
  Tensor y = ops::unary_number("abs", x, [](auto a) { return std::abs(a); });
  return record("abs", y, inputs(x), saves(x),
                [](Vjp& v, const Tensor& input) { v.give(0, zero_safe_mul(v.cotangent(), sign(input))); });
}

Tensor sign(const Tensor& x) {
  return ops::unary_number("sign", x, [](auto a) {
    using T = decltype(a);
    return a > 0 ? T{1} : a < 0 ? T{-1} : a == 0 ? T{0} : a;
  });
}

// y = sin x              dx = dy cos x
Tensor sin(const Tensor& x) {
  Tensor y = ops::unary("sin", x, [](auto a) { return std::sin(a); });
  return record("sin", y, inputs(x), saves(x),
                [](Vjp& v, const Tensor& input) { v.give(0, zero_safe_mul(v.cotangent(), cos(input))); });
}

// y = cos x              dx = -dy sin x
Tensor cos(const Tensor& x) {
  Tensor y = ops::unary("cos", x, [](auto a) { return std::cos(a); });
  return record("cos", y, inputs(x), saves(x),
                [](Vjp& v, const Tensor& input) { v.give(0, -zero_safe_mul(v.cotangent(), sin(input))); });
}

// y = tanh x             dx = dy (1 - y^2)
Tensor tanh(const Tensor& x) {
  Tensor y = ops::unary("tanh", x, [](auto a) { return std::tanh(a); });
  return record("tanh", y, inputs(x), saves(y), [](Vjp& v, const Tensor& result) {
    v.give(0, zero_safe_mul(v.cotangent(), 1.0 - result * result));
  });
}

// y = erf x              dx = dy 2 / sqrt(pi) e^(-x^2)
Tensor erf(const Tensor& x) {
  Tensor y = ops::unary("erf", x, [](auto a) { return std::erf(a); });
  return record("erf", y, inputs(x), saves(x), [](Vjp& v, const Tensor& input) {
    v.give(0, zero_safe_mul(v.cotangent(), exp(-(input * input)) * (2 * std::numbers::inv_sqrtpi)));
  });
}

}  // namespace headwise
