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

// Why backward cannot deliver the gradients whose derivatives are to be checked; empty when it can.
std::string first_order_failure(const checking::Subject& subject, const Tensor& cotangent) {
  std::vector<size_t> positions;
  for (size_t i = 0; i < subject.inputs().size(); ++i)
    if (is_checked(subject.inputs()[i])) positions.push_back(i);
  const auto recorded = subject.record();
  try {
    recorded.gradients(positions, cotangent);
    return {};
  } catch (const Error& error) {
    return fmt::format("backward failed at the first order: {}", error.what());
  }
}

GradcheckReport all_wrong(const std::vector<Tensor>& arguments, const GradcheckOptions& options,
                          const std::string& reason) {
  GradcheckReport report;
  report.mode = options.mode;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!is_checked(arguments[i])) continue;
    GradcheckInput& entry = report.inputs.emplace_back();
    entry.name = options.names[i];
    entry.shape = arguments[i].shape();
    checking::conclude(entry, Verdict::wrong, reason);
  }
  return report;
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
  require(bool(f), "gradgradcheck: f is an empty function");
  for (const Tensor& input : inputs) require(input.defined(), "gradgradcheck: an input is undefined");
  if (std::none_of(inputs.begin(), inputs.end(), is_checked)) return gradcheck(f, inputs, options);
  GradcheckOptions second = options;
  std::vector<Tensor> arguments = inputs;
  {
    const checking::KeepRandom keep(options.random);
    const checking::Subject subject(f, inputs, options.names);
    second.names = subject.names();
    second.names.emplace_back("cotangent");
    Rng rng = Rng(options.seed).derive("cotangent of the first order");
    arguments.push_back(randn(subject.value(subject.inputs()).shape(), rng, f64));
    const std::string failure = first_order_failure(subject, arguments.back());
    if (!failure.empty()) return all_wrong(arguments, second, failure);
  }
  // The gradients of all inputs, one after the other.
  const TensorFunction gradient = [&f](const std::vector<Tensor>& at) {
    const std::vector<Tensor> point(at.begin(), at.end() - 1);
    const auto slopes = vjp(f, point, at.back(), {.create_graph = grad_enabled()});
    std::vector<Tensor> flat;
    for (size_t i = 0; i < point.size(); ++i)
      if (is_checked(point[i])) flat.push_back(slopes[i].reshape({slopes[i].numel()}));
    return cat(flat, 0);
  };
  GradcheckReport report = gradcheck(gradient, arguments, second);
  name_gradients(report, inputs, second.names);
  return report;
}

}  // namespace headwise
