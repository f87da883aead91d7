// f along a random direction of one input: <cotangent, f(x + t v)> as a function of t.
#pragma once

#include <algorithm>
#include <cmath>

#include "headwise/autograd/gradcheck/modes.h"

namespace headwise::checking {

class Line {
 public:
  /// Direction number `number`, drawn from the seed: elements of either sign between 1/2 and 3/2 in size, so
  /// that each has its part. An undefined gradient stands for zeros.
  Line(const Check& check, const Place& place, int64_t number, const Tensor& gradient);

  double at(double t) const;
  double step() const { return step_; }
  /// <gradient, v>
  double analytic() const { return analytic_; }
  /// The rounding error of the value at t: of its terms at 0, and of how far they have moved.
  double floor(double t) const { return floor_ + rounding_unit * t * parts_; }
  Compared compared() const;

 private:
  const Check& check_;
  size_t input_;
  int64_t number_;
  Tensor direction_;
  double analytic_ = 0, parts_ = 0, smallest_part_, step_, floor_;
};

/// The lines of every checked input, with the measure to judge them by.
template <class F>
void for_each_input(Check& check, F&& body) {
  const auto gradients = check.subject.record().gradients(check.positions(), check.cotangent);
  double largest = 0;
  for (const Tensor& gradient : gradients)
    if (gradient.defined())
      for (const double x : gradient.values<double>())
        if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
  for (size_t k = 0; k < gradients.size(); ++k) {
    GradcheckInput& entry = check.entry(check.places[k]);
    entry.elements = check.options.directions;
    std::vector<Line> lines;
    for (int64_t n = 0; n < check.options.directions; ++n)
      lines.emplace_back(check, check.places[k], n, gradients[k]);
    body(entry, lines, Measure{0, check.options.resolution, largest});
  }
}

}  // namespace headwise::checking
