#include <algorithm>
#include <cmath>

#include "headwise/autograd/gradcheck/modes.h"
#include "headwise/autograd/ops/creation.h"

namespace headwise::checking {
namespace {

// Of every checked input: [place][output][element].
struct Jacobian {
  std::vector<std::vector<std::vector<double>>> slopes;
  /// The largest slope of each output by any of the inputs, and of all.
  std::vector<double> largest_of_output;
  double largest = 0;
};

Jacobian analytic(const Check& check) {
  const auto positions = check.positions();
  Jacobian result;
  result.slopes.resize(positions.size());
  const auto recorded = check.subject.record();
  for (int64_t o = 0; o < check.output.numel(); ++o) {
    Tensor one_hot = zeros(check.output.shape(), f64);
    one_hot.mutable_values<double>()[static_cast<size_t>(o)] = 1;
    const auto gradients = recorded.gradients(positions, one_hot);
    double largest = 0;
    for (size_t k = 0; k < positions.size(); ++k) {
      const auto elements = static_cast<size_t>(check.subject.inputs()[positions[k]].numel());
      auto row = gradients[k].defined() ? gradients[k].to_vector<double>() : std::vector<double>(elements);
      for (const double slope : row)
        if (std::isfinite(slope)) largest = std::max(largest, std::abs(slope));
      result.slopes[k].push_back(std::move(row));
    }
    result.largest_of_output.push_back(largest);
    result.largest = std::max(result.largest, largest);
  }
  return result;
}

double step_of(const Check& check, size_t input, size_t element) {
  const double at = check.subject.inputs()[input].values<double>()[element];
  return check.options.step * std::max(1.0, std::abs(at));
}

// Of every output by one element of an input, beside those of the column.
std::vector<kernels::Slope> numeric(const Check& check, size_t input, size_t element,
                                    const std::vector<double>& column) {
  const Tensor& origin = check.subject.inputs()[input];
  auto evaluate = [&](double offset, std::span<double> results) {
    Tensor moved = origin.clone();
    moved.mutable_values<double>()[element] += offset;
    const Tensor output = check.subject.value_with(input, std::move(moved), check.output.shape());
    const auto values = output.values<double>();
    std::copy(values.begin(), values.end(), results.begin());
  };
  return kernels::slopes_beside(evaluate, column, step_of(check, input, element));
}

}  // namespace

void check_full(Check& check) {
  const Jacobian jacobian = analytic(check);
  const Measure measure{check.options.relative_tolerance, check.options.resolution, jacobian.largest};
  double largest_value = 0;
  for (const double value : check.output.values<double>())
    if (std::isfinite(value)) largest_value = std::max(largest_value, std::abs(value));
  for (size_t k = 0; k < check.places.size(); ++k) {
    const Place& place = check.places[k];
    GradcheckInput& entry = check.entry(place);
    entry.elements = entry.shape.numel();
    std::vector<Compared> compared;
    for (int64_t e = 0; e < entry.elements; ++e) {
      std::vector<double> column;
      for (const auto& row : jacobian.slopes[k]) column.push_back(row[static_cast<size_t>(e)]);
      const auto slopes = numeric(check, place.input, static_cast<size_t>(e), column);
      for (int64_t o = 0; o < check.output.numel(); ++o) {
        const auto output = static_cast<size_t>(o);
        Compared one;
        one.slope.element = e;
        one.slope.output = o;
        one.slope.index = index_of(e, entry.shape);
        one.slope.output_index = index_of(o, check.output.shape());
        one.slope.analytic = column[output];
        one.numeric = slopes[output];
        one.rounding = rounding_unit * jacobian.largest_of_output[output];
        one.cancellation =
            rounding_unit * largest_value / step_of(check, place.input, static_cast<size_t>(e));
        one.smallest = std::max(std::abs(one.slope.analytic), std::abs(one.numeric.value));
        compared.push_back(std::move(one));
      }
    }
    judge(entry, std::move(compared), measure);
  }
}

}  // namespace headwise::checking
