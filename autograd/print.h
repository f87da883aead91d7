// Tensors as text, laid out as NumPy lays out arrays:
//
//   tensor([[1. , 2.5],
//           [0. , -1. ]], shape [2, 2], f32)
//
// Floats are written with the fewest digits that read back as the same value of their dtype. Columns are
// aligned. Scientific notation serves all elements once the largest magnitude reaches 1e8, the smallest that
// is not zero lies under 1e-4, or the largest is more than 1000 times the smallest.
#pragma once

#include <iosfwd>

#include "headwise/autograd/tensor.h"

namespace headwise {

struct PrintOptions {
  /// At most this many digits after the point.
  int precision = 8;
  /// Of a tensor with more elements than this, only the edges are shown: they alone are read.
  int64_t threshold = 1000;
  /// How many positions are then shown at either end of each axis.
  int64_t edge_items = 3;
  /// Rows are wrapped before they exceed this many characters.
  int64_t line_width = 75;
};

/// The text of a tensor, with its shape and dtype; `tensor(undefined)` for an undefined one. Error for a
/// negative precision and for edge_items below 1.
std::string to_string(const Tensor& x, const PrintOptions& options = {});

std::ostream& operator<<(std::ostream& out, const Tensor& x);

}  // namespace headwise

/// `{}`, or `{:.3}` for a precision of 3.
template <>
struct fmt::formatter<headwise::Tensor> {
  headwise::PrintOptions options;

  template <class Context>
  constexpr auto parse(Context& context) {
    auto at = context.begin();
    const auto digit = [&] { return at != context.end() && *at >= '0' && *at <= '9'; };
    if (at != context.end() && *at == '.') {
      ++at;
      if (!digit()) throw fmt::format_error("the precision of a tensor is missing");
      for (options.precision = 0; digit() && options.precision < 100; ++at)
        options.precision = options.precision * 10 + (*at - '0');
    }
    if (at != context.end() && *at != '}') throw fmt::format_error("a tensor is printed by {} or {:.digits}");
    return at;
  }
  template <class Context>
  auto format(const headwise::Tensor& x, Context& context) const {
    return fmt::format_to(context.out(), "{}", headwise::to_string(x, options));
  }
};
