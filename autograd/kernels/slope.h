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
  /// How far the output moved over the points furthest apart, per step: 0 where it stood still.
  double change = 0;
};

/// Fills `outputs` with f(x + offset).
using Evaluate = FunctionRef<void(double offset, std::span<double> outputs)>;

/// The slopes at offset 0 of `count` outputs, by the central formula of order 8 over nine points `step` apart
/// (Fornberg 1988). An output is smooth when its seventh differences are lost in rounding or shrink with the
/// step as that of a smooth function does, or of |x|^p with p > 1; those of a kink shrink with the first
/// power, of noise not at all. The level at which differences stay however small the step counts as rounding,
/// up to a million times that of the output, as where terms cancel. Steps that may miss whole waves, because
/// differences grow again at smaller ones, are not used.
std::vector<Slope> slopes(Evaluate evaluate, size_t count, double step);

/// The same beside the slopes that are expected. Where one lies out of bounds, the slope is taken again from
/// points of another step, and its change widens the bound: rounding errors that happen to be alike at some
/// points are not so at others.
std::vector<Slope> slopes_beside(Evaluate evaluate, std::span<const double> expected, double step);

}  // namespace headwise::kernels
