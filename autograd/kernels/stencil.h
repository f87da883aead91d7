// A function at nine points in a row: its slope by central formulas (Fornberg 1988), and by its high
// differences, which of a smooth function are nothing but rounding errors, how far that can be trusted.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace headwise::kernels {

struct Stencil {
  static constexpr int reach = 4, points = 2 * reach + 1;
  /// An error of each value shows in a difference of order 6, 7 or 8 times the root of the sum of squares of
  /// its binomial coefficients.
  static constexpr int lowest_order = 6, highest_order = 8;
  static constexpr std::array<double, 3> noise_gain{30.4, 58.6, 113.4};
  /// The order by which smoothness is judged: its two differences together see even and odd functions.
  static constexpr int judged_order = 7;
  static constexpr double judged_gain = noise_gain[judged_order - lowest_order];

  /// f(x + k step), k = -reach .. reach.
  std::array<double, points> at{};

  double largest() const {
    double largest = 0;
    for (const double value : at) largest = std::max(largest, std::abs(value));
    return largest;
  }
  /// How far the values lie from that at x.
  double change() const {
    double change = 0;
    for (const double value : at) change = std::max(change, std::abs(value - at[reach]));
    return change;
  }
  bool finite() const {
    return std::all_of(at.begin(), at.end(), [](double value) { return std::isfinite(value); });
  }

  /// The larger difference of the order judged.
  double difference() const {
    double largest = 0;
    for_each_difference([&](int order, double value) {
      if (order == judged_order) largest = std::max(largest, value);
    });
    return largest;
  }
  /// What rounding alone would make of it.
  double rounding_difference() const {
    return judged_gain * std::numeric_limits<double>::epsilon() * largest();
  }

  /// A bound on the error of one value. Where differences show more than its rounding they are all there is
  /// to go by, and few.
  double noise() const {
    constexpr double margin = 4;
    const double rounding = std::numeric_limits<double>::epsilon() * largest();
    double noise = 0;
    for_each_difference([&](int order, double value) {
      noise = std::max(noise, value / noise_gain[static_cast<size_t>(order - lowest_order)]);
    });
    return noise < 2 * rounding ? std::max(noise, rounding) : margin * noise;
  }

  double slope(double step) const { return slope_by({4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280}, step); }
  /// What that formula, of order 8, leaves out: what the one of order 6 does, less in proportion to what the
  /// one of order 4 does.
  double truncation(double step) const {
    constexpr double margin = 4;
    const double sixth = slope_by({3.0 / 4, -3.0 / 20, 1.0 / 60, 0}, step);
    const double of_sixth = std::abs(slope(step) - sixth);
    const double of_fourth = std::abs(sixth - slope_by({2.0 / 3, -1.0 / 12, 0, 0}, step));
    return of_fourth > margin * of_sixth ? margin * of_sixth * of_sixth / of_fourth : of_sixth;
  }

 private:
  /// weights: of f(x + k step), k = 1 .. reach; those of -k are their negatives.
  double slope_by(const std::array<double, reach>& weights, double step) const {
    double sum = 0;
    for (size_t k = reach; k-- > 0;) sum += weights[k] * (at[reach + 1 + k] - at[reach - 1 - k]);
    return sum / step;
  }

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

}  // namespace headwise::kernels
