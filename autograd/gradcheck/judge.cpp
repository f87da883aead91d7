#include "headwise/autograd/gradcheck/judge.h"

#include <algorithm>
#include <cmath>

namespace headwise::checking {
namespace {

constexpr size_t listed = 10;
constexpr double infinity = std::numeric_limits<double>::infinity();

Verdict judge_one(GradcheckSlope& slope, const Compared& compared, const Measure& measure) {
  const kernels::Slope& numeric = compared.numeric;
  const double zero = rounding_unit * measure.largest, bound = 4 * numeric.uncertainty;
  const double size = std::max(std::abs(slope.analytic), std::abs(numeric.value));
  slope.numeric = numeric.value;
  slope.error = std::abs(slope.analytic - numeric.value);
  slope.tolerance = measure.relative_tolerance * size + bound + compared.rounding;
  if (std::isnan(slope.analytic)) return Verdict::wrong;
  const bool is_zero = std::abs(slope.analytic) <= zero;
  // Of a result that is nothing but rounding errors, as the gradient of what cancels.
  const double seen = std::abs(numeric.value) + bound;
  constexpr double amplified = 1e3;
  const bool is_lost = is_zero && seen <= amplified * zero;
  if (numeric.smoothness != kernels::Smoothness::smooth) {
    if (is_lost) return Verdict::right;
    return numeric.smoothness == kernels::Smoothness::kink ? Verdict::not_differentiable
                                                           : Verdict::too_little_precision;
  }
  if (!std::isfinite(slope.analytic)) return Verdict::wrong;
  if (!(slope.error <= slope.tolerance)) {
    if (std::max(std::abs(slope.analytic), seen) <= zero / 16) return Verdict::right;
    // Where f is 0 all around, its scale is not known: terms of order one may have left so much behind.
    const bool nothing_seen = seen == 0 && std::abs(slope.analytic) <= rounding_unit;
    const bool hidden = slope.error <= slope.tolerance + compared.cancellation;
    return nothing_seen || hidden ? Verdict::too_little_precision : Verdict::wrong;
  }
  if (slope.tolerance <= measure.resolution * compared.smallest || is_lost) return Verdict::right;
  // A zero is told where f stands still, or moves by far more than its slope may be off.
  const bool zero_is_told = numeric.change == 0 || bound <= measure.resolution * numeric.change;
  return is_zero && zero_is_told ? Verdict::right : Verdict::too_little_precision;
}

const char* explanation(Verdict verdict) {
  switch (verdict) {
    case Verdict::wrong:
      return "are not the gradient's";
    case Verdict::not_differentiable:
      return "change or are not finite within a step of the point";
    case Verdict::too_little_precision:
      return "are lost in rounding";
    default:
      return "";
  }
}

// How far outside its tolerance, what is NaN first.
double severity(const GradcheckSlope& slope) {
  const double ratio = slope.error / slope.tolerance;
  return std::isnan(ratio) ? infinity : ratio;
}

}  // namespace

void conclude(GradcheckInput& entry, Verdict verdict, std::string reason) {
  if (entry.verdict >= verdict) return;
  entry.verdict = verdict;
  entry.reason = std::move(reason);
}

void judge(GradcheckInput& entry, std::vector<Compared> compared, const Measure& measure) {
  std::vector<std::pair<Verdict, GradcheckSlope>> found;
  Verdict worst = Verdict::right;
  for (Compared& one : compared) {
    const Verdict verdict = judge_one(one.slope, one, measure);
    worst = std::max(worst, verdict);
    const double relative = one.slope.relative_error();
    const bool is_zero = std::abs(one.slope.analytic) <= rounding_unit * measure.largest;
    if (verdict == Verdict::wrong || (verdict == Verdict::right && !is_zero))
      entry.worst_relative_error =
          std::isnan(relative) ? infinity : std::max(entry.worst_relative_error, relative);
    found.emplace_back(verdict, std::move(one.slope));
  }
  if (worst <= entry.verdict) return;
  std::erase_if(found, [&](const auto& one) { return one.first != worst; });
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return severity(a.second) > severity(b.second); });
  entry.worst.clear();
  for (const auto& [verdict, slope] : found)
    if (entry.worst.size() < listed) entry.worst.push_back(slope);
  conclude(entry, worst,
           fmt::format("{} of {} slopes {}", found.size(), compared.size(), explanation(worst)));
}

}  // namespace headwise::checking
