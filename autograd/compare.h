// Whether two tensors hold the same values to within rounding, and where they do not.
#pragma once

#include <iosfwd>
#include <string>
#include <variant>
#include <vector>

#include "headwise/autograd/tensor.h"

namespace headwise {

struct AllcloseOptions {
  double rtol = 1e-5;
  double atol = 1e-8;
  /// NaN in both counts as equal.
  bool equal_nan = false;
  /// Errors are taken relative to max(|b|, floor); 0 is the rule of NumPy's allclose.
  double floor = 0;
};

/// Two elements that are not close.
struct Difference {
  using Value = std::variant<float, double, int64_t, bool>;

  Shape index;
  Value a, b;
  double absolute, relative;
};

/// What allclose found; true in a condition when the tensors are close.
struct Comparison {
  bool close = false;
  /// Why no element could be compared, in words; empty otherwise.
  std::string mismatch;
  /// The number of elements compared, and of those that are not close.
  int64_t elements = 0, differing = 0;
  /// The largest |a - b|, and the largest |a - b| / max(|b|, floor), over all elements, close or not.
  /// Infinite for a mismatch and for a value that is NaN or infinite on one side alone.
  double worst_absolute = 0, worst_relative = 0;
  /// Up to 9 elements that are not close: those furthest outside their tolerance first, then in row-major
  /// order.
  std::vector<Difference> worst;
  AllcloseOptions options;

  explicit operator bool() const { return close; }
};

/// Compares tensors of one shape and dtype, any dtype. Elements are close when they are equal, infinities
/// included, or when both are finite and |a - b| <= atol + rtol max(|b|, floor). Tensors that differ in shape
/// or dtype, or are undefined, are not close. Error for a tolerance or floor that is negative or not finite.
Comparison allclose(const Tensor& a, const Tensor& b, const AllcloseOptions& options = {});

/// Whether two tensors agree in shape, dtype and every bit, or are both undefined.
bool same_bits(const Tensor& a, const Tensor& b);

/// A report of at most 10 lines: the verdict, then the worst elements.
std::string to_string(const Comparison& comparison);
std::ostream& operator<<(std::ostream& out, const Comparison& comparison);

}  // namespace headwise

template <>
struct fmt::formatter<headwise::Comparison> : fmt::formatter<std::string> {
  template <class Context>
  auto format(const headwise::Comparison& comparison, Context& context) const {
    return fmt::formatter<std::string>::format(headwise::to_string(comparison), context);
  }
};
