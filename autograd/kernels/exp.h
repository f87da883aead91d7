// The exponential, vector by vector.
#pragma once

#include <array>
#include <bit>
#include <utility>

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
  static constexpr size_t degree = 7;
  static constexpr int mantissa_bits = 23, bias = 127;
};
template <>
struct ExpConstants<double> {
  static constexpr double round = 6755399441055744.0, lowest = -746.0, highest = 710.0;
  static constexpr double ln2_high = 0x1.62e42fefa38p-1, ln2_low = 0x1.ef35793c7673p-45;
  static constexpr size_t degree = 13;
  static constexpr int mantissa_bits = 52, bias = 1023;
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
inline Vector<T> exp_vector(Vector<T> x) {
  using C = ExpConstants<T>;
  using Bits = VectorBits<T>;
  const Vector<T> clipped =
      x < C::lowest ? Vector<T>{} + C::lowest : (x > C::highest ? Vector<T>{} + C::highest : x);
  const Vector<T> shifted = clipped * T(1.4426950408889634074) + C::round;
  const Vector<T> n = shifted - C::round;
  const Vector<T> r = (clipped - n * C::ln2_high) - n * C::ln2_low;

  constexpr auto& coefficients = inverse_factorials<T>;
  Vector<T> y = Vector<T>{} + coefficients[C::degree];
  [&]<size_t... k>(std::index_sequence<k...>) { ((y = y * r + coefficients[C::degree - 1 - k]), ...); }
  (std::make_index_sequence<C::degree>());

  // 2^n in two factors, so that results beyond the normal range round once, at the last product.
  const Bits exponent = std::bit_cast<Bits>(shifted) - std::bit_cast<Bits>(Vector<T>{} + C::round);
  const Bits half = exponent >> 1;
  const Vector<T> first = std::bit_cast<Vector<T>>((half + C::bias) << C::mantissa_bits);
  const Vector<T> second = std::bit_cast<Vector<T>>((exponent - half + C::bias) << C::mantissa_bits);
  return y * first * second;
}

}  // namespace headwise::kernels
