#include "headwise/autograd/kernels/slope.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace headwise::kernels {
namespace {

constexpr int reach = 4, points = 2 * reach + 1;
// The weights of f(x + k h), k = 1 .. 4; those of -k are their negatives.
constexpr std::array<double, reach> eighth_order{4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
constexpr std::array<double, reach> sixth_order{3.0 / 4, -3.0 / 20, 1.0 / 60, 0};
// The root of the sum of squares of the binomial coefficients: how an error of the values shows in their
// differences of order 6, 7 and 8.
constexpr int lowest_order = 6, highest_order = 8;
constexpr std::array<double, 3> noise_gain{30.4, 58.6, 113.4};
constexpr double floor_margin = 1000;  // eighth differences of so many rounding errors are no sign of a kink
constexpr double level_margin = 8;     // nor of so many times the level at which they stay
constexpr double level_limit = 1e6;    // rounding errors of sums that cancel, but no more
constexpr int halvings = 12;

// One output at the nine points of a step.
struct Stencil {
  std::array<double, points> at;

  double largest() const {
    double largest = 0;
    for (const double value : at) largest = std::max(largest, std::abs(value));
    return largest;
  }
  bool finite() const {
    return std::all_of(at.begin(), at.end(), [](double value) { return std::isfinite(value); });
  }
  double eighth_difference() const {
    double eighth = 0;
    for_each_difference([&](int order, double value) { eighth = order == highest_order ? value : eighth; });
    return eighth;
  }
  // The error of one value, by high differences, which are nothing else where the function is smooth.
  double noise() const {
    double noise = std::numeric_limits<double>::epsilon() * largest();
    for_each_difference([&](int order, double value) {
      noise = std::max(noise, value / noise_gain[static_cast<size_t>(order - lowest_order)]);
    });
    return noise;
  }
  double slope(const std::array<double, reach>& weights, double step) const {
    double sum = 0;
    for (size_t k = reach; k-- > 0;) sum += weights[k] * (at[reach + 1 + k] - at[reach - 1 - k]);
    return sum / step;
  }

 private:
  template <class F>
  void for_each_difference(F&& body) const {
    std::array<double, points> difference = at;
    for (int order = 1; order <= highest_order; ++order)
      for (size_t i = 0; i + static_cast<size_t>(order) < points; ++i) {
        difference[i] = difference[i + 1] - difference[i];
        if (order >= lowest_order) body(order, std::abs(difference[i]));
      }
  }
};

std::vector<Stencil> stencils(Evaluate evaluate, size_t count, double step) {
  std::vector<Stencil> result(count);
  std::vector<double> outputs(count);
  for (int k = -reach; k <= reach; ++k) {
    evaluate(k * step, outputs);
    for (size_t i = 0; i < count; ++i) result[i].at[static_cast<size_t>(k + reach)] = outputs[i];
  }
  return result;
}

double rounding_floor(const Stencil& stencil) {
  return noise_gain.back() * std::numeric_limits<double>::epsilon() * stencil.largest();
}

// The level at which eighth differences stay however small the step, 0 when they keep falling.
double noise_level(std::span<const double> differences) {
  const auto last = differences.end();
  const double earlier = *std::max_element(last - 8, last - 4), later = *std::max_element(last - 4, last);
  return earlier < level_margin * later ? std::max(earlier, later) : 0;
}

// Whether the differences fall as those of |x|^p do, p > 1, which has a slope but not eight derivatives.
bool fall_by_a_power(std::span<const double> ratios) {
  constexpr double least = 2.6, most = 32, spread = 1.3;
  if (ratios.size() < 2) return false;
  const auto [low, high] = std::minmax_element(ratios.begin(), ratios.end());
  return *low > least && *high < most && *high < spread * *low;
}

// How the eighth difference changes as the step is halved decides what hides behind it: by 2^8 for a smooth
// function, by 2 for a kink at the point, at once for one beside it, and not at all for noise.
Smoothness judge(std::span<const double> differences, double floor, double level) {
  if (level > level_limit * floor) return Smoothness::noise;
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
    else if (ratio > 1.5)
      ++linear;
    else
      ++flat;
  }
  if (linear + flat <= asymptotic || fall_by_a_power(ratios)) return Smoothness::smooth;
  return linear >= flat ? Smoothness::kink : Smoothness::noise;
}

}  // namespace

std::vector<Slope> slopes(Evaluate evaluate, size_t count, double step) {
  const std::vector<Stencil> first = stencils(evaluate, count, step);
  std::vector<Slope> result(count);
  std::vector<size_t> doubtful;
  auto measure = [&](size_t i, const Stencil& stencil, double spacing, double level) {
    const double noise = std::max(stencil.noise(), level / noise_gain.back());
    const double value = stencil.slope(eighth_order, spacing);
    result[i].value = value;
    result[i].uncertainty = 2 * noise / spacing + std::abs(value - stencil.slope(sixth_order, spacing));
  };
  for (size_t i = 0; i < count; ++i) {
    if (!first[i].finite()) {
      result[i].smoothness = Smoothness::kink;
      continue;
    }
    measure(i, first[i], step, 0);
    if (first[i].eighth_difference() > floor_margin * rounding_floor(first[i])) doubtful.push_back(i);
  }
  if (doubtful.empty()) return result;
  std::vector<std::vector<double>> differences(count);
  for (const size_t i : doubtful) differences[i].push_back(first[i].eighth_difference());
  std::vector<std::vector<Stencil>> finer;
  double spacing = step;
  for (int n = 0; n < halvings; ++n) {
    spacing /= 2;
    finer.push_back(stencils(evaluate, count, spacing));
    for (const size_t i : doubtful) differences[i].push_back(finer.back()[i].eighth_difference());
  }
  for (const size_t i : doubtful) {
    const double level = noise_level(differences[i]);
    measure(i, first[i], step, level);
    result[i].smoothness = judge(differences[i], rounding_floor(first[i]), level);
    if (result[i].smoothness != Smoothness::smooth) continue;
    // The step at which truncation and rounding together are least.
    Slope best = result[i];
    spacing = step;
    for (size_t n = 0; n < finer.size(); ++n) {
      spacing /= 2;
      measure(i, finer[n][i], spacing, level);
      if (result[i].uncertainty < best.uncertainty) best = result[i];
    }
    result[i] = best;
  }
  return result;
}

}  // namespace headwise::kernels
