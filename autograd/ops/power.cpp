#include "headwise/autograd/ops/power.h"

#include <cmath>

#include "headwise/autograd/ops/arithmetic.h"
#include "headwise/autograd/ops/creation.h"
#include "headwise/autograd/ops/elementwise.h"
#include "headwise/autograd/ops/math.h"
#include "headwise/autograd/ops/reduce.h"
#include "headwise/autograd/ops/select.h"
#include "headwise/autograd/record.h"

namespace headwise {
namespace {

// Small whole exponents are products, which run as vectors.
Tensor power_of(const Tensor& base, double exponent) {
  auto result = [&](auto f) { return ops::unary("pow", base, f); };
  if (exponent == 0) return result([](auto x) { return decltype(x){1}; });
  if (exponent == 1) return result([](auto x) { return x; });
  if (exponent == 2) return result([](auto x) { return x * x; });
  if (exponent == 3) return result([](auto x) { return x * x * x; });
  if (exponent == -1) return result([](auto x) { return 1 / x; });
  return result([exponent](auto x) { return std::pow(x, static_cast<decltype(x)>(exponent)); });
}

}  // namespace

// y = a^b                da = dy b a^(b-1), db = dy y ln a
Tensor pow(const Tensor& base, const Tensor& exponent) {
  require_floating("pow", base);
  Tensor y = ops::binary("pow", base, exponent,
                         [](auto a, auto b) { return static_cast<decltype(a)>(std::pow(a, b)); });
  return record("pow", y, inputs(base, exponent), saves(base, exponent, save_if(exponent.requires_grad(), y)),
                [](Vjp& v, const Tensor& a, const Tensor& b, const Tensor& result) {
                  if (v.needs(0)) {
                    const Tensor slope = zero_safe_mul(b, pow(a, b - 1.0));
                    v.give(0, sum_to(zero_safe_mul(v.cotangent(), slope), v.input_shape(0)));
                  }
                  if (v.needs(1)) {
                    // 0^b stays 1 or 0 to the right of b >= 0, whatever the logarithm says.
                    const Tensor settled = logical_and(a == 0.0, b >= 0.0);
                    const Tensor slope = zero_safe_mul(masked_fill(result, settled, 0), log(a));
                    v.give(1, sum_to(zero_safe_mul(v.cotangent(), slope), v.input_shape(1)));
                  }
                });
}

// y = a^b                da = dy b a^(b-1)
Tensor pow(const Tensor& base, double exponent) {
  Tensor y = power_of(base, exponent);
  return record("pow", y, inputs(base), saves(save_if(exponent != 0, base)),
                [exponent](Vjp& v, const Tensor& a) {
                  if (exponent == 0) return v.give(0, zeros(v.input_shape(0), v.cotangent().dtype()));
                  v.give(0, zero_safe_mul(v.cotangent(), pow(a, exponent - 1) * exponent));
                });
}

Tensor pow(double base, const Tensor& exponent) {
  require_floating("pow", exponent);
  return pow(scalar_like(exponent, base), exponent);
}

}  // namespace headwise
