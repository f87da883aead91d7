// Is a gradient right? A verdict per input, with the numbers behind it.
//
// The numeric slope of every output comes from nine points (see kernels/slope.h) together with a bound on its
// own error, so that the check knows when it cannot tell. A relative error is |analytic - numeric| divided by
// the larger of |analytic| and |numeric|; there is no absolute tolerance.
#pragma once

#include <string>
#include <vector>

#include "headwise/autograd/derivatives.h"
#include "headwise/autograd/rng.h"
#include "headwise/autograd/tensor.h"

namespace headwise {

enum class Verdict {
  right,
  too_little_precision,  // neither right nor wrong can be said
  not_differentiable,    // a kink within a step of the point
  not_deterministic,     // two calls gave two results
  wrong,
};
/// "right", "wrong", "not_differentiable", "too_little_precision" or "not_deterministic".
const char* name_of(Verdict verdict);

enum class GradcheckMode {
  full,        // every element of the Jacobian
  directions,  // slopes of a random mix of outputs along random directions of each input
  taylor,      // how the remainder of the linear approximation falls along those directions
};

struct GradcheckOptions {
  GradcheckMode mode = GradcheckMode::full;
  /// How many directions per input, drawn from `seed`.
  int64_t directions = 4;
  uint64_t seed = 1;
  /// Distance between neighbouring points, times max(1, |x|) of the element or the largest of the input.
  double step = 1e-3;
  /// The relative error that is still right, beside the uncertainty of the numeric slope.
  double relative_tolerance = 1e-9;
  /// A slope is told when its uncertainty is at most this share of it.
  double resolution = 1e-3;
  /// Names of the inputs for the report; "input 0" and so on where there are none.
  std::vector<std::string> names = {};
  /// A generator that f draws from: left as it was found.
  Rng* random = nullptr;
};

/// One slope that was compared: element of the input (or the number of the direction) and of the output.
struct GradcheckSlope {
  int64_t element = 0;
  int64_t output = 0;
  double numeric = 0, analytic = 0;
  double error = 0, tolerance = 0;
  double relative_error() const;
};

struct GradcheckInput {
  std::string name;
  Verdict verdict = Verdict::right;
  /// Why, in words; a note on the input where the verdict is right.
  std::string reason;
  /// Elements of the input that were moved, or directions.
  int64_t elements = 0;
  double worst_relative_error = 0;
  /// taylor: the power of the step by which the remainder falls; 2 for a right gradient, 1 for a wrong one.
  double observed_order = 0;
  /// Those that led to the verdict, worst first, at most ten.
  std::vector<GradcheckSlope> worst;
};

struct GradcheckReport {
  std::vector<GradcheckInput> inputs;
  /// The worst of the inputs' verdicts.
  Verdict verdict() const;
  explicit operator bool() const { return verdict() == Verdict::right; }
};
/// A line per input, and below one that is not right its worst slopes.
std::string to_string(const GradcheckReport& report);

/// Checks the gradients of f, a function of tensors of f64 (others are passed on as they are; one of f32 is
/// not checked, and the report says why). f is called with copies: inputs, their gradients and `random` are
/// left bit for bit as they were, also when f throws. Besides slopes: two calls must agree in every bit, a
/// zero cotangent must give a zero gradient, and inputs and cotangents that are not contiguous must give the
/// gradient of those that are.
GradcheckReport gradcheck(const TensorFunction& f, const std::vector<Tensor>& inputs,
                          const GradcheckOptions& options = {});

/// Checks second derivatives: the gradient of <cotangent, f(inputs)>, as a function of the inputs and of a
/// cotangent drawn from the seed, which the report lists last under the name "cotangent".
GradcheckReport gradgradcheck(const TensorFunction& f, const std::vector<Tensor>& inputs,
                              const GradcheckOptions& options = {});

}  // namespace headwise

template <>
struct fmt::formatter<headwise::GradcheckReport> : fmt::formatter<std::string> {
  template <class Context>
  auto format(const headwise::GradcheckReport& report, Context& context) const {
    return fmt::formatter<std::string>::format(headwise::to_string(report), context);
  }
};
