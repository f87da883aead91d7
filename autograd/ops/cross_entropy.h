// Cross-entropy of logits against classes.
#pragma once

#include <optional>

#include "headwise/autograd/ops/losses.h"
#include "headwise/autograd/tensor.h"

namespace headwise {

struct CrossEntropyOptions {
  /// Rows with this target count for nothing.
  std::optional<int64_t> ignore_index = {};
  /// Moves this share of the target's probability evenly over all classes (Szegedy et al. 2016).
  double label_smoothing = 0;
  /// A weight per class, shape (C), or undefined; the mean is then over the sum of the targets' weights.
  Tensor class_weights = {};
  /// none: a loss per row, of the targets' shape, 0 for ignored rows.
  Reduction reduction = Reduction::mean;
};

struct CrossEntropy {
  Tensor loss;
  /// How many rows counted. The mean over none is 0, with zero gradient.
  int64_t count = 0;
};

/// -ln softmax(logits)[target], in nats: logits (..., C) of f32 or f64, targets (...) of i64. Error names the
/// position and value of a target that is not a class.
CrossEntropy cross_entropy(const Tensor& logits, const Tensor& targets,
                           const CrossEntropyOptions& options = {});
/// The same written in plain ops.
CrossEntropy cross_entropy_reference(const Tensor& logits, const Tensor& targets,
                                     const CrossEntropyOptions& options = {});

}  // namespace headwise
