#include "headwise/autograd/ops/math.h"

#include <cmath>
#include <numbers>

#include "headwise/autograd/kernels/exp.h"
#include "headwise/autograd/ops/arithmetic.h"
#include "headwise/autograd/ops/loop.h"
#include "headwise/autograd/ops/select.h"
#include "headwise/autograd/record.h"

namespace headwise {
namespace {

template <class F>
Tensor unary(const char* op, const Tensor& x, F f) {
  Tensor y = empty(x.shape(), x.dtype());
  dispatch_floating(op, x.dtype(), [&]<class T>() {
    kernels::map(ops::make_loop<2>({&y, &x}), y.pointer<T>(), x.pointer<const T>(), f);
  });
  return y;
}

}  // namespace

// y = e^x                dx = dy y
Tensor exp(const Tensor& x) {
  const Tensor dense = x.detach().contiguous();
  Tensor y = empty(x.shape(), x.dtype());
  dispatch_floating("exp", x.dtype(),
                    [&]<class T>() { kernels::exp(dense.pointer<const T>(), y.pointer<T>(), x.numel()); });
  return record("exp", y, inputs(x), saves(y),
                [](Vjp& v, const Tensor& result) { v.give(0, zero_safe_mul(v.cotangent(), result)); });
}

// y = ln x               dx = dy / x
Tensor log(const Tensor& x) {
  Tensor y = unary("log", x, [](auto a) { return std::log(a); });
  return record("log", y, inputs(x), saves(x),
                [](Vjp& v, const Tensor& input) { v.give(0, zero_safe_mul(v.cotangent(), 1.0 / input)); });
}

// y = x^(1/2)            dx = dy / (2 y)
Tensor sqrt(const Tensor& x) {
  Tensor y = unary("sqrt", x, [](auto a) { return std::sqrt(a); });
  return record("sqrt", y, inputs(x), saves(y),
                [](Vjp& v, const Tensor& result) { v.give(0, zero_safe_mul(v.cotangent(), 0.5 / result)); });
}

// y = tanh x             dx = dy (1 - y^2)
Tensor tanh(const Tensor& x) {
  Tensor y = unary("tanh", x, [](auto a) { return std::tanh(a); });
  return record("tanh", y, inputs(x), saves(y),
                [](Vjp& v, const Tensor& result) { v.give(0, v.cotangent() * (1.0 - result * result)); });
}

// y = max(x, 0)          dx = dy where x > 0, else 0
Tensor relu(const Tensor& x) {
  Tensor y = unary("relu", x, [](auto a) { return a > 0 || a != a ? a : decltype(a){0}; });
  return record("relu", y, inputs(x), saves(x),
                [](Vjp& v, const Tensor& input) { v.give(0, masked_fill(v.cotangent(), input <= 0.0, 0)); });
}

// y = x Phi(x)           dx = dy (Phi(x) + x phi(x))
Tensor gelu(const Tensor& x) {
  auto cdf = [](auto a) {
    return decltype(a)(0.5) * (1 + std::erf(a * decltype(a)(std::numbers::sqrt2 / 2)));
  };
  Tensor y = unary("gelu", x, [cdf](auto a) { return a * cdf(a); });
  return record("gelu", y, inputs(x), saves(x), [](Vjp& v, const Tensor& input) {
    constexpr double inverse_sqrt_2pi = std::numbers::inv_sqrtpi / std::numbers::sqrt2;
    const Tensor density = exp(input * input * -0.5) * inverse_sqrt_2pi;
    const Tensor distribution = (erf(input * (std::numbers::sqrt2 / 2)) + 1.0) * 0.5;
    v.give(0, v.cotangent() * (distribution + input * density));
  });
}

// y = erf x              dx = dy 2 / sqrt(pi) e^(-x^2)
Tensor erf(const Tensor& x) {
  Tensor y = unary("erf", x, [](auto a) { return std::erf(a); });
  return record("erf", y, inputs(x), saves(x), [](Vjp& v, const Tensor& input) {
    v.give(0, v.cotangent() * (exp(-(input * input)) * (2 * std::numbers::inv_sqrtpi)));
  });
}

}  // namespace headwise
