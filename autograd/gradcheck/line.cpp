#include "headwise/autograd/gradcheck/line.h"

#include <algorithm>
#include <cmath>

#include "headwise/autograd/grad_mode.h"
#include "headwise/autograd/ops/arithmetic.h"
#include "headwise/autograd/ops/creation.h"
#include "headwise/autograd/ops/math.h"
#include "headwise/autograd/ops/reduce.h"

namespace headwise::checking {
namespace {

double total(const Tensor& x) { return sum(x, {.compensated = true}).item<double>(); }

Tensor direction(const Check& check, size_t input, int64_t number) {
  const Shape& shape = check.subject.inputs()[input].shape();
  Rng rng =
      Rng(check.options.seed).derive("direction", input).derive("number", static_cast<uint64_t>(number));
  const Tensor draws = rand(shape, rng, f64) * 2.0 - 1.0;
  return draws + sign(draws) * 0.5;
}

}  // namespace

Line::Line(const Check& check, const Place& place, int64_t number, const Tensor& gradient)
    : check_(check),
      input_(place.input),
      number_(number),
      direction_(direction(check, place.input, number)),
      smallest_part_(std::numeric_limits<double>::infinity()) {
  const NoGrad guard;
  if (gradient.defined()) {
    const Tensor parts = gradient * direction_;
    analytic_ = total(parts);
    const auto values = parts.values<double>();
    double largest = 0;
    for (const double part : values) {
      parts_ += std::abs(part);
      largest = std::max(largest, std::abs(part));
    }
    // Parts that are nothing but rounding errors of others need not be told.
    for (const double part : values)
      if (std::abs(part) > rounding_unit * largest) smallest_part_ = std::min(smallest_part_, std::abs(part));
  }
  double size = 1;
  for (const double x : check.subject.inputs()[input_].values<double>()) size = std::max(size, std::abs(x));
  step_ = check.options.step * size;
  floor_ = rounding_unit * total(abs(check.output * check.cotangent));
}

double Line::at(double t) const {
  const NoGrad guard;
  const Tensor moved = check_.subject.inputs()[input_] + direction_ * t;
  return total(check_.subject.value_with(input_, moved, check_.output.shape()) * check_.cotangent);
}

Compared Line::compared() const {
  auto evaluate = [this](double offset, std::span<double> result) { result[0] = at(offset); };
  Compared result;
  result.slope.element = number_;
  result.slope.analytic = analytic_;
  result.numeric = kernels::slopes_beside(evaluate, {&analytic_, 1}, step_)[0];
  result.rounding = rounding_unit * parts_ + floor_ / (16 * step_);
  result.cancellation = floor_ / step_;
  result.smallest = std::isfinite(smallest_part_)
                        ? smallest_part_
                        : std::max(std::abs(analytic_), std::abs(result.numeric.value));
  return result;
}

}  // namespace headwise::checking
