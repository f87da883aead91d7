#include "headwise/autograd/kernels/slope.h"

#include <algorithm>
#include <cmath>

#include "headwise/autograd/kernels/stencil.h"

namespace headwise::kernels {
namespace {

constexpr double floor_margin = 1000;  // differences of so many rounding errors are no sign of a kink
constexpr double level_margin = 8;     // nor of so many times the level at which they stay
constexpr double level_limit = 1e6;    // rounding errors of sums that cancel, but no more
constexpr double coarse_margin = 100;  // times what rounding alone would do: a smaller step may tell more
constexpr double fine_share = 1e-9;    // of the slope: it is told well enough
constexpr double least_fall = 16;      // of the differences of a smooth function as the step is halved
constexpr int halvings = 12;

std::vector<Stencil> stencils(Evaluate evaluate, size_t count, double step) {
  std::vector<Stencil> result(count);
  std::vector<double> outputs(count);
  for (int k = -Stencil::reach; k <= Stencil::reach; ++k) {
    evaluate(k * step, outputs);
    for (size_t i = 0; i < count; ++i) result[i].at[static_cast<size_t>(k + Stencil::reach)] = outputs[i];
  }
  return result;
}

double largest_of(std::span<const double> values) { return *std::max_element(values.begin(), values.end()); }

// The level at which differences stay however small the step, 0 when they keep falling.
double noise_level(std::span<const double> differences) {
  const double earlier = largest_of(differences.last(8).first(4)), later = largest_of(differences.last(4));
  return earlier < level_margin * later ? std::max(earlier, later) : 0;
}

// Whether the differences fall as those of |x|^p do, p > 1, which has a slope but not eight derivatives.
bool fall_by_a_power(std::span<const double> ratios) {
  constexpr double least = 2.6, most = 32, spread = 1.3;
  if (ratios.size() < 2) return false;
  const auto [low, high] = std::minmax_element(ratios.begin(), ratios.end());
  return *low > least && *high < most && *high < spread * *low;
}

// How the differences change as the step is halved decides what hides behind them: by 2^7 for a smooth
// function, by 2 for a kink at the point, by less for a cusp, at once for a kink beside it, and not at all
// for noise.
struct Fall {
  Smoothness smoothness;
  bool by_a_power = false;
};
Fall judge(std::span<const double> differences, double floor, double level) {
  if (level > level_limit * floor)
    return {largest_of(differences.first(4)) > level_margin * largest_of(differences.last(4))
                ? Smoothness::kink
                : Smoothness::noise};
  if (differences[0] <= floor_margin * floor) return {Smoothness::smooth};
  floor = std::max(floor, level);
  const double lost = level_margin * floor;
  size_t asymptotic = 0, linear = 0, flat = 0;
  std::vector<double> ratios;
  for (size_t i = 1; i < differences.size() && differences[i - 1] > lost; ++i) {
    const double ratio = differences[i - 1] / std::max(differences[i], floor);
    const bool lands = differences[i] <= lost, expected = differences[i - 1] < 2048 * lost;
    if (!lands) ratios.push_back(ratio);
    if (ratio > 32 && (ratio < 2048 || (lands && expected)))
      ++asymptotic;
    else if (lands && expected)
      continue;
    else if (ratio > 1.2)
      ++linear;
    else
      ++flat;
  }
  if (linear + flat <= asymptotic) return {Smoothness::smooth};
  if (fall_by_a_power(ratios)) return {Smoothness::smooth, true};
  return {linear >= flat ? Smoothness::kink : Smoothness::noise};
}

Slope measure(const Stencil& stencil, double step, double noise) {
  return {stencil.slope(step), 2 * noise / step + stencil.truncation(step), Smoothness::smooth,
          stencil.change() / step};
}

// The error of one value, by all steps from which on differences no longer fall as those of a smooth
// function. Smaller steps alone do not show it: they may lie within one rounding of what f computes on the
// way.
double noise_of(std::span<const Stencil> levels, std::span<const double> differences) {
  size_t n = 0;
  while (n + 1 < levels.size() && differences[n] >= least_fall * differences[n + 1]) ++n;
  double noise = 0;
  for (; n < levels.size(); ++n) noise = std::max(noise, levels[n].noise());
  return noise;
}

// The first step that can be trusted: the last after which differences that stand out of rounding do not fall
// as they should. Points further apart may miss whole waves of f.
size_t first_fine(std::span<const double> differences, double lost) {
  size_t first = 0;
  for (size_t n = 1; n < differences.size(); ++n)
    if (differences[n] > lost && differences[n - 1] < least_fall * differences[n]) first = n;
  return first;
}

// The slope from stencils whose steps are halved one after the other.
Slope refined(std::span<const Stencil> levels, double step) {
  std::vector<double> differences;
  for (const Stencil& stencil : levels) differences.push_back(stencil.difference());
  const double floor = levels[0].rounding_difference(), level = noise_level(differences);
  const Fall fall = judge(differences, floor, level);
  const double noise = fall.by_a_power ? 0 : noise_of(levels, differences);
  const size_t first = fall.by_a_power ? 0 : first_fine(differences, level_margin * std::max(floor, level));
  auto slope_at = [&](size_t n, double least_noise) {
    return measure(levels[n], std::ldexp(step, -static_cast<int>(n)), std::max(noise, least_noise));
  };
  if (fall.smoothness != Smoothness::smooth) {
    Slope none = slope_at(0, levels[0].noise());
    none.smoothness = fall.smoothness;
    return none;
  }
  // The step at which truncation and rounding together are least. How much the last halving changed the slope
  // tells of truncation too, where the orders of the formulas mean nothing.
  Slope before = slope_at(first, levels[first].noise());
  Slope best = before;
  for (size_t n = first + 1; n < levels.size(); ++n) {
    Slope slope = slope_at(n, fall.by_a_power ? levels[n].noise() : 0);
    const double change = std::abs(slope.value - before.value);
    slope.uncertainty += change;
    if (n == first + 1) best.uncertainty += 2 * change;
    if (slope.uncertainty < best.uncertainty) best = slope;
    before = slope;
  }
  best.change = levels[0].change() / step;
  return best;
}

}  // namespace

std::vector<Slope> slopes(Evaluate evaluate, size_t count, double step) {
  std::vector<std::vector<Stencil>> levels{stencils(evaluate, count, step)};
  std::vector<Slope> result(count);
  std::vector<size_t> doubtful;
  for (size_t i = 0; i < count; ++i) {
    const Stencil& first = levels[0][i];
    if (!first.finite()) {
      result[i].smoothness = Smoothness::kink;
      continue;
    }
    result[i] = measure(first, step, first.noise());
    const double floor = first.rounding_difference();
    const double fine = std::max(coarse_margin * floor / (Stencil::judged_gain * step),
                                 fine_share * std::abs(result[i].value));
    const bool coarse = result[i].uncertainty > fine;
    if (coarse || first.difference() > floor_margin * floor) doubtful.push_back(i);
  }
  if (doubtful.empty()) return result;
  for (int n = 0; n < halvings; ++n) levels.push_back(stencils(evaluate, count, std::ldexp(step, -n - 1)));
  std::vector<Stencil> stencil(levels.size());
  for (const size_t i : doubtful) {
    for (size_t n = 0; n < levels.size(); ++n) stencil[n] = levels[n][i];
    result[i] = refined(stencil, step);
  }
  return result;
}

std::vector<Slope> slopes_beside(Evaluate evaluate, std::span<const double> expected, double step) {
  constexpr double another = 0.618;  // no binary fraction, so that nothing rounds alike
  std::vector<Slope> found = slopes(evaluate, expected.size(), step);
  std::vector<size_t> outside;
  for (size_t i = 0; i < found.size(); ++i)
    if (found[i].smoothness == Smoothness::smooth &&
        std::abs(expected[i] - found[i].value) > 4 * found[i].uncertainty)
      outside.push_back(i);
  if (outside.empty()) return found;
  const std::vector<Slope> again = slopes(evaluate, expected.size(), another * step);
  for (const size_t i : outside)
    if (std::isfinite(again[i].value)) found[i].uncertainty += std::abs(again[i].value - found[i].value);
  return found;
}

}  // namespace headwise::kernels
