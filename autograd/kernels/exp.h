// The exponential, vector by vector.
#pragma once

#include <array>
#include <bit>

#include "headwise/autograd/kernels/vector.h"

namespace headwise::kernels {

/// out[i] = e^in[i]; in and out may be the same. Within 1 ulp; overflows to infinity, underflows through the
/// subnormal numbers to 0, and keeps NaN.
template <class T>
void exp(const T* in, T* out, int64_t n);

template <class T>
struct ExpConstants;
template <>
struct ExpConstants<float> {
  // Adding and subtracting 1.5 * 2^23 rounds to the nearest integer.
  static constexpr float round = 12582912.0f, lowest = -104.0f, highest = 89.0f;
  // ln 2 in two parts, the first short enough for n * high to be exact.
  static constexpr float ln2_high = 0x1.62e4p-1f, ln2_low = 0x1.7f7d1cp-20f;
  static constexpr float inverse_ln2 = 0x1.715476p+0f;
  using Bits = int32_t;
  static constexpr int degree = 7, mantissa_bits = 23, bias = 127;
};
template <>
struct ExpConstants<double> {
  static constexpr double round = 6755399441055744.0, lowest = -746.0, highest = 710.0;
  static constexpr double ln2_high = 0x1.62e42fefa38p-1, ln2_low = 0x1.ef35793c7673p-45;
  static constexpr double inverse_ln2 = 0x1.71547652b82fep+0;
  using Bits = int64_t;
  static constexpr int degree = 13, mantissa_bits = 52, bias = 1023;
};

/// 1 / k! for k = 0 .. degree.
template <class T>
inline constexpr auto inverse_factorials = [] {
  std::array<T, ExpConstants<T>::degree + 1> table{};
  double factorial = 1;
  for (size_t k = 0; k < table.size(); ++k) {
    factorial *= k ? static_cast<double>(k) : 1;
    table[k] = static_cast<T>(1 / factorial);
  }
  return table;
}();

/// e^x = 2^n e^r with n the nearest integer to x / ln 2 and |r| <= ln 2 / 2, e^r by its Taylor polynomial.
template <class T>
inline Vector<T> exp_vector(const Vector<T>& x) {
  using C = ExpConstants<T>;
  using V = Vector<T>;
  using Bits = Vector<typename C::Bits>;
  auto all = [](T value) { return broadcast<V>(value); };
  const V clipped = x < all(C::lowest) ? all(C::lowest) : (x > all(C::highest) ? all(C::highest) : x);
  const V shifted = multiply_add(clipped, all(C::inverse_ln2), all(C::round));
  const V n = shifted - all(C::round);
  const V r = multiply_add(n, all(-C::ln2_low), multiply_add(n, all(-C::ln2_high), clipped));

  constexpr auto& coefficients = inverse_factorials<T>;
  V y = all(coefficients[C::degree]);
  unrolled<C::degree>([&](auto k) __attribute__((always_inline)) {
    y = multiply_add(y, r, all(coefficients[size_t{C::degree - 1 - k}]));
  });

  // 2^n in two factors, so that results beyond the normal range round once, at the last product.
  const Bits exponent = std::bit_cast<Bits>(shifted) - std::bit_cast<Bits>(all(C::round));
  const Bits half = exponent >> 1;
  const V first = std::bit_cast<V>((half + C::bias) << C::mantissa_bits);
  const V second = std::bit_cast<V>((exponent - half + C::bias) << C::mantissa_bits);
  return y * first * second;
}

}  // namespace headwise::kernels
