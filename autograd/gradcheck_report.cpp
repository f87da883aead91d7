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

double GradcheckSlope::relative_error() const {
  const double size = std::max(std::abs(numeric), std::abs(analytic));
  return size == 0 ? 0 : error / size;
}

Verdict GradcheckReport::verdict() const {
  Verdict worst = Verdict::right;
  for (const GradcheckInput& input : inputs) worst = std::max(worst, input.verdict);
  return worst;
}

std::string to_string(const GradcheckReport& report) {
  std::string text;
  for (const GradcheckInput& input : report.inputs) {
    text += fmt::format("{}: {}, worst relative error {:.2e} over {} elements{}{}\n", input.name,
                        name_of(input.verdict), input.worst_relative_error, input.elements,
                        input.reason.empty() ? "" : "; ", input.reason);
    for (const GradcheckSlope& slope : input.worst)
      text += fmt::format(
          "  element {}, output {}: numeric {:.12g}, analytic {:.12g}, error {:.2e}, tolerance {:.2e}\n",
          slope.element, slope.output, slope.numeric, slope.analytic, slope.error, slope.tolerance);
  }
  return text;
}

}  // namespace headwise
