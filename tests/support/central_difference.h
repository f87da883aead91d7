// Gradients by central differences in f64: the judge of every vjp.
#pragma once

#include <functional>

#include "tests/support/tensors.h"

namespace headwise::testing {

using Function = std::function<Tensor(const std::vector<Tensor>&)>;

/// The largest error of the gradients of <cotangent, f(inputs)> against central differences, relative to
/// max(1, |numeric|), over every element of every floating input. The cotangent is random, so that errors
/// cannot cancel.
inline double gradient_error(const Function& f, const std::vector<Tensor>& inputs, uint64_t seed = 1) {
  std::vector<Tensor> leaves;
  std::vector<size_t> positions;
  std::vector<Tensor> arguments = inputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].dtype() != f64) continue;
    arguments[i] = inputs[i].clone().set_requires_grad(true);
    leaves.push_back(arguments[i]);
    positions.push_back(i);
  }
  const Tensor output = f(arguments);
  Rng rng(seed);
  const Tensor cotangent = randn(output.shape(), rng, f64);
  const auto analytic = output.requires_grad() ? grad(std::vector{output}, leaves, std::vector{cotangent},
                                                      {.allow_unused = true})
                                               : std::vector<Tensor>(leaves.size());

  const NoGrad guard;
  constexpr double step = 1e-5;
  double worst = 0;
  for (size_t k = 0; k < leaves.size(); ++k) {
    const auto given = analytic[k].defined() ? values(analytic[k])
                                             : std::vector<double>(static_cast<size_t>(leaves[k].numel()));
    for (int64_t e = 0; e < leaves[k].numel(); ++e) {
      auto probe = [&](double offset) {
        auto moved = inputs;
        moved[positions[k]] = inputs[positions[k]].clone();
        moved[positions[k]].mutable_values<double>()[static_cast<size_t>(e)] += offset;
        return values(f(moved));
      };
      const auto above = probe(step), below = probe(-step), weight = values(cotangent);
      double numeric = 0;
      for (size_t i = 0; i < weight.size(); ++i) numeric += weight[i] * ((above[i] - below[i]) / (2 * step));
      const double error =
          std::abs(given[static_cast<size_t>(e)] - numeric) / std::max(1.0, std::abs(numeric));
      worst = std::isnan(error) ? INFINITY : std::max(worst, error);
    }
  }
  return worst;
}

/// The same for the gradient itself: checks second derivatives.
inline double second_order_error(const Function& f, const std::vector<Tensor>& inputs, uint64_t seed = 2) {
  const Function gradient = [&](const std::vector<Tensor>& at) {
    std::vector<Tensor> arguments, leaves;
    const GradMode recording(true);
    for (const Tensor& x : at) {
      arguments.push_back(x.dtype() == f64 && !x.requires_grad() ? x.clone().set_requires_grad(true) : x);
      if (x.dtype() == f64) leaves.push_back(arguments.back());
    }
    const Tensor output = f(arguments);
    Rng rng(seed);
    const Tensor cotangent = randn(output.shape(), rng, f64);
    const auto gradients = grad(std::vector{output}, leaves, std::vector{cotangent},
                                {.create_graph = true, .allow_unused = true});
    // One scalar that mixes all gradients unevenly, so that each of their derivatives is seen.
    Tensor total = zeros({}, f64);
    for (const Tensor& g : gradients)
      if (g.defined()) total = total + sum(g * randn(g.shape(), rng, f64));
    return total;
  };
  return gradient_error(gradient, inputs, seed + 1);
}

}  // namespace headwise::testing
