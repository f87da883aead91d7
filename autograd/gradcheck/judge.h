// From slopes to a verdict.
#pragma once

#include <string>
#include <vector>

#include "headwise/autograd/gradcheck.h"
#include "headwise/autograd/kernels/slope.h"

namespace headwise::checking {

/// Rounding errors of a computed value, in units of its terms: what sums of some dozen terms leave behind.
inline constexpr double rounding_unit = 64 * std::numeric_limits<double>::epsilon();

/// An analytic slope beside the numeric one.
struct Compared {
  GradcheckSlope slope;
  kernels::Slope numeric;
  /// The rounding error of the analytic slope, and of what the numeric bound cannot see.
  double rounding = 0;
  /// How far terms of the values that cancel may have moved the numeric slope without its showing: an error
  /// of no more makes a slope that is not right untold, not wrong.
  double cancellation = 0;
  /// The smallest number of which an error of `resolution` must show.
  double smallest = 0;
};

/// What all slopes of a check are judged by.
struct Measure {
  double relative_tolerance = 0;
  double resolution = 0;
  /// The largest analytic slope of the whole check; what is lost in its rounding counts as zero.
  double largest = 0;
};

/// Gives the entry the worst verdict of its slopes, unless it has a worse one, and lists those that led to
/// it.
void judge(GradcheckInput& entry, std::vector<Compared> compared, const Measure& measure);

/// Gives the entry a verdict unless it has one as bad.
void conclude(GradcheckInput& entry, Verdict verdict, std::string reason);

}  // namespace headwise::checking
