#include <algorithm>

#include "headwise/autograd/grad_mode.h"
#include "headwise/autograd/gradcheck.h"
#include "headwise/autograd/gradcheck/keep_random.h"
#include "headwise/autograd/gradcheck/modes.h"
#include "headwise/autograd/ops/arrange.h"
#include "headwise/autograd/ops/creation.h"

namespace headwise {
namespace {

bool is_checked(const Tensor& input) { return input.dtype() == f64; }

std::vector<std::string> names_of(size_t count, std::vector<std::string> names) {
  for (size_t i = names.size(); i < count; ++i) names.push_back(fmt::format("input {}", i));
  names.resize(count);
  names.emplace_back("cotangent");
  return names;
}

Shape output_shape(const TensorFunction& f, const std::vector<Tensor>& inputs, Rng* random) {
  const checking::KeepRandom keep(random);
  const NoGrad guard;
  std::vector<Tensor> copies;
  for (const Tensor& input : inputs) copies.push_back(input.detach().clone());
  const Tensor output = f(copies);
  require(output.dtype() == f64, "gradgradcheck: the output must be f64, got {}", name_of(output.dtype()));
  return output.shape();
}

// Says of each output, which is numbered across all gradients, where in which gradient it lies.
void name_gradients(GradcheckReport& report, const std::vector<Tensor>& inputs,
                    const std::vector<std::string>& names) {
  if (report.mode != GradcheckMode::full) return;
  for (GradcheckInput& entry : report.inputs)
    for (GradcheckSlope& slope : entry.worst)
      for (size_t i = 0; i < inputs.size(); ++i) {
        if (!is_checked(inputs[i])) continue;
        if (slope.output >= inputs[i].numel()) {
          slope.output -= inputs[i].numel();
          continue;
        }
        slope.gradient_of = names[i];
        slope.output_index = index_of(slope.output, inputs[i].shape());
        break;
      }
}

}  // namespace

GradcheckReport gradgradcheck(const TensorFunction& f, const std::vector<Tensor>& inputs,
                              const GradcheckOptions& options) {
  for (const Tensor& input : inputs) require(input.defined(), "gradgradcheck: an input is undefined");
  if (std::none_of(inputs.begin(), inputs.end(), is_checked)) return gradcheck(f, inputs, options);
  Rng rng = Rng(options.seed).derive("cotangent of the first order");
  std::vector<Tensor> arguments = inputs;
  arguments.push_back(randn(output_shape(f, inputs, options.random), rng, f64));
  // The gradients of all inputs, one after the other.
  const TensorFunction gradient = [&f](const std::vector<Tensor>& at) {
    const std::vector<Tensor> point(at.begin(), at.end() - 1);
    const auto slopes = vjp(f, point, at.back(), {.create_graph = grad_enabled()});
    std::vector<Tensor> flat;
    for (size_t i = 0; i < point.size(); ++i)
      if (is_checked(point[i])) flat.push_back(slopes[i].reshape({slopes[i].numel()}));
    return cat(flat, 0);
  };
  GradcheckOptions second = options;
  second.names = names_of(inputs.size(), options.names);
  GradcheckReport report = gradcheck(gradient, arguments, second);
  name_gradients(report, inputs, second.names);
  return report;
}

}  // namespace headwise
