// The spread of the terms along axes, which are as in reduce.h; f32 and f64.
#pragma once

#include "headwise/autograd/ops/reduce.h"

namespace headwise {

struct VarianceOptions {
  bool keepdim = false;
  /// The sum of squares is divided by the number of terms less this: 1 estimates the variance of what the
  /// terms are a sample of (Bessel's correction, the default of statistics packages), 0 gives that of the
  /// terms themselves.
  int64_t correction = 1;
};

/// The sum of squared distances from the mean over (number of terms - correction). Error unless there are
/// more terms than the correction.
Tensor var(const Tensor& x, Axes axes = {}, bool keepdim = false);
Tensor var(const Tensor& x, Axes axes, const VarianceOptions& options);
Tensor var(const Tensor& x, const VarianceOptions& options);

/// The standard deviation, the root of var. Its gradient is 0 where the variance is, and so is all that
/// follows from it: where the square is wanted, take var.
Tensor stddev(const Tensor& x, Axes axes = {}, bool keepdim = false);
Tensor stddev(const Tensor& x, Axes axes, const VarianceOptions& options);
Tensor stddev(const Tensor& x, const VarianceOptions& options);

}  // namespace headwise
