// Is a gradient right? A verdict per input, with the numbers behind it.
//
// The numeric slope of every output comes from nine points (see kernels/slope.h) together with a bound on its
// own error, so that the check knows when it cannot tell. A relative error is |analytic - numeric| divided by
// the larger of |analytic| and |numeric|; there is no absolute tolerance.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "headwise/autograd/derivatives.h"
#include "headwise/autograd/rng.h"
#include "headwise/autograd/tensor.h"

namespace headwise {

enum class Verdict {
  right,
  too_little_precision,  // neither right nor wrong can be said
  not_differentiable,    // a kink within a step of the point, or f is not finite there
  not_deterministic,     // two calls gave two results
  wrong,
};
/// "right", "wrong", "not_differentiable", "too_little_precision" or "not_deterministic".
const char* name_of(Verdict verdict);

enum class GradcheckMode {
  full,        // every element of the Jacobian
  directions,  // slopes of a random mix of outputs along random directions of each input
  taylor,      // the same, and how the remainder of the linear approximation falls along those directions
};
/// "full", "directions" or "taylor".
const char* name_of(GradcheckMode mode);

struct GradcheckOptions {
  GradcheckMode mode = GradcheckMode::full;
  /// How many directions per input, drawn from `seed`.
  int64_t directions = 4;
  uint64_t seed = 1;
  /// Distance between neighbouring points, times max(1, |x|) of the element or the largest of the input.
  double step = 1e-3;
  /// full: the relative error that is still right, beside the uncertainty of the numeric slope. Along a
  /// direction rounding is all that is tolerated.
  double relative_tolerance = 1e-9;
  /// A slope is told when an error of this share of it would show; along a direction, of this share of every
  /// element's part in it.
  double resolution = 1e-3;
  /// Names of the inputs for the report; "input 0" and so on where there are none.
  std::vector<std::string> names = {};
  /// A generator that f draws from: left as it was found.
  Rng* random = nullptr;
};

/// One slope that was compared.
struct GradcheckSlope {
  /// The element of the input, or the number of the direction.
  int64_t element = 0;
  /// full: the element of the output.
  int64_t output = 0;
  /// full: where these two lie, element 7 of shape [2, 4] at [1, 3].
  Shape index, output_index;
  /// gradgradcheck: the input whose gradient the output belongs to.
  std::string gradient_of;
  double numeric = 0, analytic = 0;
  double error = 0, tolerance = 0;
  double relative_error() const;
};

struct GradcheckInput {
  std::string name;
  Shape shape;
  Verdict verdict = Verdict::right;
  /// Why the verdict is not right.
  std::string reason;
  /// What is worth knowing whatever the verdict, such as memory that it shares.
  std::string note;
  /// Elements of the input that were moved, or directions.
  int64_t elements = 0;
  /// Over the slopes that were told.
  double worst_relative_error = 0;
  /// taylor: the least power of the step by which the remainder falls, 2 for a right gradient and 1 for a
  /// wrong one; NaN where it is lost in rounding at every step, as for a linear f.
  double observed_order = std::numeric_limits<double>::quiet_NaN();
  /// Those that led to the verdict, worst first, at most ten.
  std::vector<GradcheckSlope> worst;
};

struct GradcheckReport {
  GradcheckMode mode = GradcheckMode::full;
  std::vector<GradcheckInput> inputs;
  /// The worst of the inputs' verdicts, in the order of the enumeration.
  Verdict verdict() const;
  explicit operator bool() const { return verdict() == Verdict::right; }
};
/// A line per input, and below one that is not right its worst slopes.
std::string to_string(const GradcheckReport& report);
/// The same as JSON: {"verdict", "mode", "inputs": [{"name", "shape", "verdict", "reason", "note",
/// "elements", "worst_relative_error", "observed_order", "worst": [...]}]}, and each slope in "worst"
/// {"element", "index", "numeric", "analytic", "error", "tolerance", "relative_error"}, in full mode also
/// "output" and "output_index", and of gradgradcheck "gradient_of". What is not finite is null, and bytes of
/// a name that are not UTF-8 become U+FFFD.
std::string to_json(const GradcheckReport& report);

/// Checks the gradients of f, a function of tensors of f64 that gives one (inputs of other dtypes are passed
/// on as they are; one of f32 is not checked, and the report says why and which step would suit it).
///
/// f is called with copies: inputs, their gradients and `random` are left bit for bit as they were, also when
/// f throws, and what f throws is passed on. Besides slopes: two calls must agree in every bit, a zero
/// cotangent must give a zero gradient, inputs and cotangents that are not contiguous must give the gradient
/// of those that are, and a gradient asked for alone must be the one given among all. An Error in backward,
/// as for a gradient of the wrong shape, makes the inputs wrong that it concerns. A NaN gradient is wrong.
/// Error when f is empty, no input is floating, f's output is not f64 or f changes an input in place.
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
