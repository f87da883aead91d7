// The larger and the smaller of two, and limits, elementwise; f32, f64 and i64.
//
// Ties: equal operands get half of the gradient each, so maximum(x, 0) at 0 has slope 0.5, where relu has 0.
// NaN: the result is NaN where an operand is, and the gradient goes to that operand (half to each when both
// are NaN).
#pragma once

#include <optional>

#include "headwise/autograd/tensor.h"

namespace headwise {

/// Shapes broadcast. Of 0.0 and -0.0, which are equal, either may come back.
Tensor maximum(const Tensor& a, const Tensor& b);
Tensor minimum(const Tensor& a, const Tensor& b);
Tensor maximum(const Tensor& a, double b);
Tensor minimum(const Tensor& a, double b);
Tensor maximum(double a, const Tensor& b);
Tensor minimum(double a, const Tensor& b);

/// x, but `min` where x is less and `max` where x is more; one of them may be left out. The gradient passes
/// where min <= x <= max, the limits included, and is 0 outside. NaN stays, and its gradient passes. Error
/// when min > max, when a limit is NaN or when both are missing.
Tensor clamp(const Tensor& x, std::optional<double> min, std::optional<double> max = std::nullopt);

}  // namespace headwise
