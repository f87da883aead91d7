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
constexpr std::array<double, points - 1> binomials{1, -7, 21, -35, 35, -21, 7, -1};
constexpr double noise_gain = 113;     // the root of the sum of squares of the eighth difference's weights
constexpr double noise_margin = 1000;  // differences of so many rounding errors are no sign of a kink
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
  // The largest of the eighth difference and the two seventh ones that it is made of: where the slope bends
  // right in the middle, the eighth is 0.
  double difference() const {
    double lower = 0, upper = 0;
    for (size_t i = 0; i < binomials.size(); ++i) {
      lower += binomials[i] * at[i];
      upper += binomials[i] * at[i + 1];
    }
    return std::max({std::abs(upper - lower), std::abs(lower), std::abs(upper)});
  }
  double slope(const std::array<double, reach>& weights, double step) const {
    double sum = 0;
    for (size_t k = reach; k-- > 0;) sum += weights[k] * (at[reach + 1 + k] - at[reach - 1 - k]);
    return sum / step;
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
  return noise_gain * std::numeric_limits<double>::epsilon() * stencil.largest();
}

// How the difference changes as the step is halved decides what hides behind it: by 2^7 or 2^8 for a smooth
// function, by 2 or 4 for a kink or a bend at the point, at once for one beside it, and not at all for noise.
Smoothness judge(std::span<const double> differences, double floor) {
  size_t asymptotic = 0, linear = 0, flat = 0;
  for (size_t i = 1; i < differences.size(); ++i) {
    const bool below = differences[i] <= noise_margin * floor;
    const double ratio = differences[i - 1] / std::max(differences[i], floor);
    if (ratio > 32 && (ratio < 2048 || (below && differences[i - 1] < 2048 * noise_margin * floor)))
      ++asymptotic;
    else if (ratio > 1.5)
      ++linear;
    else
      ++flat;
    if (below) break;
  }
  if (asymptotic > 0 && linear + flat <= asymptotic) return Smoothness::smooth;
  return linear >= flat ? Smoothness::kink : Smoothness::noise;
}

}  // namespace

std::vector<Slope> slopes(Evaluate evaluate, size_t count, double step) {
  const std::vector<Stencil> first = stencils(evaluate, count, step);
  std::vector<Slope> result(count);
  std::vector<size_t> doubtful;
  auto measure = [&](size_t i, const Stencil& stencil, double spacing) {
    const double noise = std::max(stencil.difference(), rounding_floor(stencil)) / noise_gain;
    const double value = stencil.slope(eighth_order, spacing);
    result[i].value = value;
    result[i].uncertainty = 2 * noise / spacing + std::abs(value - stencil.slope(sixth_order, spacing));
  };
  for (size_t i = 0; i < count; ++i) {
    if (!first[i].finite()) {
      result[i].smoothness = Smoothness::kink;
      continue;
    }
    measure(i, first[i], step);
    if (first[i].difference() > noise_margin * rounding_floor(first[i])) doubtful.push_back(i);
  }
  if (doubtful.empty()) return result;
  std::vector<std::vector<double>> differences(count);
  for (const size_t i : doubtful) differences[i].push_back(first[i].difference());
  std::vector<std::vector<Stencil>> finer;
  double spacing = step;
  for (int n = 0; n < halvings; ++n) {
    spacing /= 2;
    finer.push_back(stencils(evaluate, count, spacing));
    for (const size_t i : doubtful) differences[i].push_back(finer.back()[i].difference());
  }
  for (const size_t i : doubtful) {
    result[i].smoothness = judge(differences[i], rounding_floor(first[i]));
    if (result[i].smoothness != Smoothness::smooth) continue;
    // The step at which truncation and rounding together are least.
    Slope best = result[i];
    spacing = step;
    for (const auto& level : finer) {
      spacing /= 2;
      measure(i, level[i], spacing);
      if (result[i].uncertainty < best.uncertainty) best = result[i];
    }
    result[i] = best;
  }
  return result;
}

}  // namespace headwise::kernels
