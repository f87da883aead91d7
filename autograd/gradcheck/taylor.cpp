#include <cmath>

#include "headwise/autograd/gradcheck/line.h"

namespace headwise::checking {
namespace {

constexpr double widest = 16;  // steps
constexpr int halvings = 14;
constexpr double least_order = 1.5;

// The power of t by which f(x + t v) - f(x) - t <gradient, v> falls over the last two halvings at which it
// stands out of rounding; NaN where it never does.
double remainder_order(const Line& line) {
  const double origin = line.at(0);
  std::vector<double> remainders;
  double t = widest * line.step();
  for (int n = 0; n < halvings; ++n, t /= 2) {
    const double remainder = std::abs(line.at(t) - origin - t * line.analytic());
    if (!(remainder > line.floor(t))) break;
    remainders.push_back(remainder);
  }
  if (remainders.size() < 3) return std::numeric_limits<double>::quiet_NaN();
  return std::log2(remainders[remainders.size() - 3] / remainders.back()) / 2;
}

}  // namespace

// A right gradient leaves a remainder of second order, a wrong one of first, down to the rounding of f.
void check_taylor(Check& check) {
  for_each_input(check, [](GradcheckInput& entry, const std::vector<Line>& lines, const Measure& measure) {
    std::vector<Compared> compared;
    for (const Line& line : lines) {
      const double order = remainder_order(line);
      if (!(order >= entry.observed_order))
        entry.observed_order = std::isnan(order) ? entry.observed_order : order;
      compared.push_back(line.compared());
    }
    judge(entry, std::move(compared), measure);
    if (entry.observed_order < least_order)
      conclude(entry, Verdict::too_little_precision,
               fmt::format("the remainder falls with power {:.2f} of the step, where 2 was expected",
                           entry.observed_order));
  });
}

}  // namespace headwise::checking
