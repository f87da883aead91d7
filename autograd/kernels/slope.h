// Slopes of functions of one variable by differences, with how far they can be trusted.
#pragma once

#include <span>
#include <vector>

#include "headwise/autograd/kernels/function_ref.h"

namespace headwise::kernels {

/// What the differences say about one output at one point.
enum class Smoothness {
  smooth,
  kink,   // the slope changes, or there is none, within a step of the point
  noise,  // rounding hides the slope
};

struct Slope {
  double value = 0;
  /// A bound on the error of `value`: rounding, judged by the differences themselves, and truncation.
  double uncertainty = 0;
  Smoothness smoothness = Smoothness::smooth;
};

/// Fills `outputs` with f(x + offset).
using Evaluate = FunctionRef<void(double offset, std::span<double> outputs)>;

/// The slopes at offset 0 of `count` outputs, by the central formula of order 8 over nine points `step` apart
/// (Fornberg 1988). An output is smooth when its seventh and eighth differences are lost in rounding or
/// shrink with the step as those of a smooth function do; a kink shrinks with the first power, a jump in
/// curvature with the second, which counts as a kink too, and noise not at all.
std::vector<Slope> slopes(Evaluate evaluate, size_t count, double step);

}  // namespace headwise::kernels
