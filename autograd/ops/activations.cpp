#include "headwise/autograd/ops/activations.h"

#include <cmath>
#include <numbers>

#include "headwise/autograd/kernels/activations.h"
#include "headwise/autograd/ops/arithmetic.h"
#include "headwise/autograd/ops/elementwise.h"
#include "headwise/autograd/ops/math.h"
#include "headwise/autograd/ops/select.h"
#include "headwise/autograd/record.h"

namespace headwise {
namespace {

// y = x Phi(x)           dx = dy (Phi(x) + x phi(x))
Tensor gelu_exact(const Tensor& x) {
  Tensor y = ops::unary("gelu", x, [](auto a) {
    using T = decltype(a);
    const T share = T(0.5) * (1 + std::erf(a * T(std::numbers::sqrt2 / 2)));
    return share == 0 ? T{0} : a * share;  // 0 at -infinity too
  });
  return record("gelu", y, inputs(x), saves(x), [](Vjp& v, const Tensor& input) {
    constexpr double inverse_sqrt_2pi = std::numbers::inv_sqrtpi / std::numbers::sqrt2;
    const Tensor density = exp(input * input * -0.5) * inverse_sqrt_2pi;
    const Tensor distribution = (erf(input * (std::numbers::sqrt2 / 2)) + 1.0) * 0.5;
    v.give(0, zero_safe_mul(v.cotangent(), distribution + zero_safe_mul(density, input)));
  });
}

// y = x s, s = sigmoid(z), z = a x + b x^3, since (1 + tanh(z / 2)) / 2 = sigmoid(z)
//                        dx = dy (s + s (1 - s) x dz/dx)
Tensor gelu_tanh(const Tensor& x) {
  static constexpr double slope = 2 * std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
  static constexpr double cube = slope * 0.044715;
  Tensor y = ops::unary_dense("gelu", x, []<class T>(const T* in, T* out, int64_t n) {
    kernels::cubic_silu(in, out, n, static_cast<T>(slope), static_cast<T>(cube));
  });
  return record("gelu", y, inputs(x), saves(x), [](Vjp& v, const Tensor& input) {
    const Tensor cubic = input * input * cube;  // b x^2
    const Tensor share = sigmoid(input * (cubic + slope));
    const Tensor drift = zero_safe_mul(share * (1.0 - share), input * (cubic * 3.0 + slope));
    v.give(0, zero_safe_mul(v.cotangent(), share + drift));
  });
}

}  // namespace

// y = max(x, 0)          dx = dy where x > 0, else 0
Tensor relu(const Tensor& x) {
  Tensor y = ops::unary("relu", x, [](auto a) { return a > 0 || a != a ? a : decltype(a){0}; });
  return record("relu", y, inputs(x), saves(x),
                [](Vjp& v, const Tensor& input) { v.give(0, masked_fill(v.cotangent(), input <= 0.0, 0)); });
}

Tensor gelu(const Tensor& x, Gelu form) { return form == Gelu::exact ? gelu_exact(x) : gelu_tanh(x); }

// y = 1 / (1 + e^-x)     dx = dy y (1 - y)
Tensor sigmoid(const Tensor& x) {
  Tensor y = ops::unary_dense("sigmoid", x, [](auto... span) { kernels::sigmoid(span...); });
  return record("sigmoid", y, inputs(x), saves(y), [](Vjp& v, const Tensor& result) {
    v.give(0, zero_safe_mul(v.cotangent(), result * (1.0 - result)));
  });
}

Tensor logsigmoid(const Tensor& x) {
  require_floating("logsigmoid", x);
  return -softplus(-x);
}

// y = x s, s = sigmoid(x)    dx = dy s (1 + x (1 - s))
Tensor silu(const Tensor& x) {
  Tensor y = ops::unary_dense("silu", x, [](auto... span) { kernels::silu(span...); });
  return record("silu", y, inputs(x), saves(x), [](Vjp& v, const Tensor& input) {
    const Tensor share = sigmoid(input);
    const Tensor slope = zero_safe_mul(share, 1.0 + zero_safe_mul(1.0 - share, input));
    v.give(0, zero_safe_mul(v.cotangent(), slope));
  });
}

// y = ln(1 + e^x)        dx = dy sigmoid(x)
Tensor softplus(const Tensor& x) {
  Tensor y = ops::unary_dense("softplus", x, [](auto... span) { kernels::softplus(span...); });
  return record("softplus", y, inputs(x), saves(x),
                [](Vjp& v, const Tensor& input) { v.give(0, zero_safe_mul(v.cotangent(), sigmoid(input))); });
}

}  // namespace headwise
