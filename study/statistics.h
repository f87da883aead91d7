// Summaries over starts.
#pragma once

#include <optional>
#include <span>

#include "headwise/autograd/rng.h"

namespace headwise::study {

struct Interval {
  double low, high;
};

struct Summary {
  double mean = 0;
  double sd = 0;  // of the sample, dividing by n - 1; 0 for n = 1
  /// 95 %; not defined for a single value or for values that are all equal, which resampling cannot spread.
  std::optional<Interval> interval;
  int64_t n = 0;
};

/// Mean, standard deviation and 95 % bootstrap interval of the mean (Efron 1979; percentiles of 2,000
/// resamples drawn from `rng`). Error for no values.
Summary summarise(std::span<const double> values, Rng rng);

/// The 95 % interval of a proportion by Wilson (1927). Error unless 0 <= successes <= n and n > 0.
Interval wilson_interval(int64_t successes, int64_t n);

}  // namespace headwise::study
