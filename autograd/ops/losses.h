// Losses taken element by element; f32 and f64. Both sides have one shape and one dtype: nothing is
// broadcast. Cross-entropy has a file of its own.
#pragma once

#include "headwise/autograd/tensor.h"

namespace headwise {

/// What becomes of the elements of a loss: their mean, their sum, or all of them. The mean over no element is
/// 0, with zero gradient.
enum class Reduction { mean, sum, none };

/// (a - b)^2
Tensor mse_loss(const Tensor& a, const Tensor& b, Reduction reduction = Reduction::mean);

/// |a - b|; the gradient where a = b is 0.
Tensor l1_loss(const Tensor& a, const Tensor& b, Reduction reduction = Reduction::mean);

struct HuberOptions {
  /// Where the square meets the straight line; finite and above 0.
  double delta = 1;
  Reduction reduction = Reduction::mean;
};
/// (a - b)^2 / 2 where |a - b| <= delta, delta (|a - b| - delta / 2) beyond (Huber 1964).
Tensor huber_loss(const Tensor& a, const Tensor& b, const HuberOptions& options = {});

struct BceOptions {
  /// Multiplies the losses; broadcasts to the logits. The mean still divides by the number of elements.
  Tensor weight = {};
  /// Multiplies the part of positive targets; broadcasts to the logits. Neither weight gets a gradient.
  Tensor pos_weight = {};
  Reduction reduction = Reduction::mean;
};
/// -p t ln s(x) - (1 - t) ln(1 - s(x)), in nats, of logits x against probabilities t of the positive class, s
/// the logistic function and p = pos_weight: finite for every finite logit. A part whose factor is 0 counts
/// for 0 even where its logarithm is infinite. Targets are not checked to lie between 0 and 1; they get a
/// gradient too.
Tensor bce_with_logits(const Tensor& logits, const Tensor& targets, const BceOptions& options = {});

struct KlOptions {
  /// The targets are log-probabilities too.
  bool log_targets = false;
  Reduction reduction = Reduction::mean;
};
/// The elements t (ln t - x) of KL(t || e^x) = sum t ln(t / e^x), in nats: how far the prediction e^x, given
/// as log-probabilities x, is from the targets t. Where t = 0 the element is 0, and so are its gradients,
/// even for x = -infinity; NaN for a negative t. The mean divides by the number of elements: for the mean
/// divergence of rows, take the sum and divide it by their number.
Tensor kl_div(const Tensor& log_probabilities, const Tensor& targets, const KlOptions& options = {});

}  // namespace headwise
