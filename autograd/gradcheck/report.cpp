#include <algorithm>
#include <cmath>

#include "headwise/autograd/gradcheck.h"

namespace headwise {

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::right:
      return "right";
    case Verdict::too_little_precision:
      return "too_little_precision";
    case Verdict::not_differentiable:
      return "not_differentiable";
    case Verdict::not_deterministic:
      return "not_deterministic";
    case Verdict::wrong:
      return "wrong";
  }
  return "unknown";
}

const char* name_of(GradcheckMode mode) {
  switch (mode) {
    case GradcheckMode::full:
      return "full";
    case GradcheckMode::directions:
      return "directions";
    case GradcheckMode::taylor:
      return "taylor";
  }
  return "unknown";
}

double GradcheckSlope::relative_error() const {
  const double size = std::max(std::abs(numeric), std::abs(analytic));
  return size == 0 ? 0 : error / size;
}

Verdict GradcheckReport::verdict() const {
  Verdict worst = Verdict::right;
  for (const GradcheckInput& input : inputs) worst = std::max(worst, input.verdict);
  return worst;
}

namespace {

std::string place_of(const GradcheckSlope& slope, GradcheckMode mode) {
  if (mode != GradcheckMode::full) return fmt::format("direction {}", slope.element);
  const std::string gradient = slope.gradient_of.empty() ? "" : " of the gradient of " + slope.gradient_of;
  return fmt::format("element {} at {}, output {} at {}{}", slope.element, slope.index, slope.output,
                     slope.output_index, gradient);
}

std::string line_of(const GradcheckInput& input, GradcheckMode mode) {
  std::string text = fmt::format("{} {}: {}", input.name, input.shape, name_of(input.verdict));
  text += fmt::format(", worst relative error {:.2e} over {} {}", input.worst_relative_error, input.elements,
                      mode == GradcheckMode::full ? "elements" : "directions");
  if (!std::isnan(input.observed_order)) text += fmt::format(", order {:.2f}", input.observed_order);
  for (const std::string& words : {input.reason, input.note})
    if (!words.empty()) text += "; " + words;
  return text + "\n";
}

}  // namespace

std::string to_string(const GradcheckReport& report) {
  std::string text;
  for (const GradcheckInput& input : report.inputs) {
    text += line_of(input, report.mode);
    for (const GradcheckSlope& slope : input.worst)
      text += fmt::format("  {}: numeric {:.12g}, analytic {:.12g}, error {:.2e}, tolerance {:.2e}\n",
                          place_of(slope, report.mode), slope.numeric, slope.analytic, slope.error,
                          slope.tolerance);
  }
  return text;
}

}  // namespace headwise
