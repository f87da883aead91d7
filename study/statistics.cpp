#include "headwise/study/statistics.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "headwise/autograd/error.h"

namespace headwise::study {

Summary summarise(std::span<const double> values, Rng rng) {
  require(!values.empty(), "summarise: there are no values");
  const auto n = static_cast<int64_t>(values.size());
  auto mean_of = [n](auto&& value_at) {
    double sum = 0;
    for (int64_t i = 0; i < n; ++i) sum += value_at(i);
    return sum / static_cast<double>(n);
  };
  auto value = [&](int64_t i) { return values[static_cast<size_t>(i)]; };
  Summary summary;
  summary.n = n;
  summary.mean = mean_of(value);
  if (n > 1) {
    const double variance = mean_of([&](int64_t i) { return std::pow(value(i) - summary.mean, 2); });
    summary.sd = std::sqrt(variance * static_cast<double>(n) / static_cast<double>(n - 1));
  }
  if (summary.sd == 0) return summary;
  constexpr size_t resamples = 2000;
  std::vector<double> means(resamples);
  for (double& mean : means) mean = mean_of([&](int64_t) { return value(rng.below(n)); });
  std::sort(means.begin(), means.end());
  summary.interval = Interval{means[resamples / 40], means[resamples - 1 - resamples / 40]};
  return summary;
}

Interval wilson_interval(int64_t successes, int64_t n) {
  require(n > 0 && successes >= 0 && successes <= n, "wilson_interval: {} successes of {} make no proportion",
          successes, n);
  constexpr double z = 1.959963984540054;
  const auto count = static_cast<double>(n);
  const double p = static_cast<double>(successes) / count, spread = z * z / count;
  const double centre = (p + spread / 2) / (1 + spread);
  const double reach = z / (1 + spread) * std::sqrt(p * (1 - p) / count + spread / (4 * count));
  return {std::max(0.0, centre - reach), std::min(1.0, centre + reach)};
}

}  // namespace headwise::study
