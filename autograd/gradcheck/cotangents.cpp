#include <algorithm>
#include <cmath>

#include "headwise/autograd/compare.h"
#include "headwise/autograd/gradcheck/modes.h"
#include "headwise/autograd/ops/creation.h"

namespace headwise::checking {
namespace {

// Beyond rounding: sums may run in another order over another layout.
bool differ(const Tensor& a, const Tensor& b) {
  if (a.defined() != b.defined()) return true;
  if (!a.defined()) return false;
  constexpr double tolerance = 1e-10;
  double scale = 0;
  const auto x = a.values<double>(), y = b.values<double>();
  for (const double value : x) scale = std::max(scale, std::abs(value));
  for (size_t i = 0; i < x.size(); ++i)
    if (x[i] != y[i] && !(std::abs(x[i] - y[i]) <= tolerance * scale) &&
        !(std::isnan(x[i]) && std::isnan(y[i])))
      return true;
  return false;
}

Tensor spread(const Tensor& x) { return x.rank() < 2 ? x : x.transpose(0, -1).contiguous().transpose(0, -1); }

// From inputs that are not contiguous, unless f refuses those, as one with a view must.
std::vector<Tensor> spread_gradients(const Check& check) {
  const Tensor cotangent = spread(check.cotangent);
  try {
    return check.subject.record(Subject::Layout::spread).gradients(check.positions(), cotangent);
  } catch (const Error&) {
    return check.subject.record().gradients(check.positions(), cotangent);
  }
}

}  // namespace

void check_cotangents(Check& check) {
  const auto positions = check.positions();
  const Shape& shape = check.output.shape();
  const auto recorded = check.subject.record();
  const auto first = recorded.gradients(positions, check.cotangent);
  const auto again = check.subject.record().gradients(positions, check.cotangent);
  const auto none = recorded.gradients(positions, zeros(shape, f64));
  const auto expanded = recorded.gradients(positions, ones({}, f64).expand(shape));
  const auto dense = recorded.gradients(positions, ones(shape, f64));
  const auto spread = spread_gradients(check);
  for (size_t k = 0; k < positions.size(); ++k) {
    GradcheckInput& entry = check.entry(check.places[k]);
    if (!same_bits(first[k], again[k]))
      conclude(entry, Verdict::not_deterministic,
               "two backward passes with the same cotangent gave two gradients");
    for (const double x : none[k].defined() ? none[k].values<double>() : std::span<const double>()) {
      if (x == 0) continue;
      conclude(entry, Verdict::wrong,
               fmt::format("a zero cotangent gave a gradient that is not zero: {}", x));
      break;
    }
    if (differ(first[k], spread[k]))
      conclude(entry, Verdict::wrong,
               "inputs and a cotangent that are not contiguous gave another gradient than contiguous ones");
    if (differ(expanded[k], dense[k]))
      conclude(entry, Verdict::wrong,
               "a cotangent expanded from one element gave another gradient than a contiguous one");
  }
}

}  // namespace headwise::checking
