#include "headwise/autograd/ops/bounds.h"

#include <cmath>
#include <limits>

#include "headwise/autograd/ops/arithmetic.h"
#include "headwise/autograd/ops/creation.h"
#include "headwise/autograd/ops/elementwise.h"
#include "headwise/autograd/ops/reduce.h"
#include "headwise/autograd/ops/select.h"
#include "headwise/autograd/record.h"

namespace headwise {
namespace {

// y = a or b             da = dy share, db = dy (1 - share), share = 1 where a wins, 1/2 for a tie, else 0
template <class Wins>
Tensor extremum(OpName name, const Tensor& a, const Tensor& b, Wins wins) {
  Tensor y = ops::binary(name.text, a, b, [wins](auto x, auto z) { return wins(x, z) || x != x ? x : z; });
  return record(name, y, inputs(a, b), saves(a, b), [wins](Vjp& v, const Tensor& left, const Tensor& right) {
    const Tensor share = ops::binary("share", left, right, [wins](auto x, auto z) {
      using T = decltype(x);
      const bool first = wins(x, z) || x != x, second = wins(z, x) || z != z;
      return first == second ? static_cast<T>(0.5) : first ? T{1} : T{0};
    });
    if (v.needs(0)) v.give(0, sum_to(zero_safe_mul(share, v.cotangent()), v.input_shape(0)));
    if (v.needs(1)) v.give(1, sum_to(zero_safe_mul(1.0 - share, v.cotangent()), v.input_shape(1)));
  });
}

}  // namespace

Tensor maximum(const Tensor& a, const Tensor& b) {
  return extremum("maximum", a, b, [](auto x, auto z) { return x > z; });
}
Tensor minimum(const Tensor& a, const Tensor& b) {
  return extremum("minimum", a, b, [](auto x, auto z) { return x < z; });
}
Tensor maximum(const Tensor& a, double b) { return maximum(a, scalar_like(a, b)); }
Tensor minimum(const Tensor& a, double b) { return minimum(a, scalar_like(a, b)); }
Tensor maximum(double a, const Tensor& b) { return maximum(scalar_like(b, a), b); }
Tensor minimum(double a, const Tensor& b) { return minimum(scalar_like(b, a), b); }

// y = min(max(x, lower), upper)   dx = dy where lower <= x <= upper, else 0
Tensor clamp(const Tensor& x, std::optional<double> min, std::optional<double> max) {
  require(min || max, "clamp: give min, max or both");
  for (const auto& limit : {min, max})
    require(!limit || !std::isnan(*limit), "clamp: a limit is NaN; leave it out for no limit");
  require(!min || !max || *min <= *max, "clamp: min {} is above max {}", min.value_or(0), max.value_or(0));
  for (const auto& limit : {min, max})
    if (limit) scalar_like(x, *limit);  // refuses fractions for integers
  Tensor y = ops::unary_number("clamp", x, [min, max](auto a) {
    using T = decltype(a);
    using Limits = std::numeric_limits<T>;
    constexpr T no_min = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
    constexpr T no_max = Limits::has_infinity ? Limits::infinity() : Limits::max();
    const T lower = min ? static_cast<T>(*min) : no_min, upper = max ? static_cast<T>(*max) : no_max;
    return a < lower ? lower : a > upper ? upper : a;
  });
  return record("clamp", y, inputs(x), saves(x), [min, max](Vjp& v, const Tensor& input) {
    Tensor outside = min ? input < *min : input > *max;
    if (min && max) outside = logical_or(outside, input > *max);
    v.give(0, masked_fill(v.cotangent(), outside, 0));
  });
}

}  // namespace headwise
