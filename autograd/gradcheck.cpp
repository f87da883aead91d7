#include "headwise/autograd/gradcheck.h"

#include <algorithm>
#include <cmath>

#include "headwise/autograd/compare.h"
#include "headwise/autograd/gradcheck/keep_random.h"
#include "headwise/autograd/gradcheck/memory.h"
#include "headwise/autograd/gradcheck/modes.h"

namespace headwise {
namespace {

using checking::Check;
using checking::conclude;
using checking::Place;

// The step at which truncation and rounding of a central difference are alike, and what it would tell.
std::string refuse_f32(const Tensor& input) {
  constexpr double epsilon = std::numeric_limits<float>::epsilon();
  double size = 1;
  for (const double x : input.detach().to(f64).to_vector<double>()) size = std::max(size, std::abs(x));
  return fmt::format(
      "f32 holds 24 bits: differences would tell a slope to about {:.0e}, with a step of {:.1e}; convert the "
      "input with to(f64)",
      std::cbrt(epsilon * epsilon), std::cbrt(3 * epsilon) * size);
}

void list_inputs(Check& check, const std::vector<Tensor>& inputs) {
  const auto& names = check.subject.names();
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!is_floating(inputs[i].dtype())) continue;
    GradcheckInput& entry = check.report.inputs.emplace_back();
    entry.name = names[i];
    entry.shape = inputs[i].shape();
    entry.note = checking::shared_memory(inputs, i, names);
    if (inputs[i].dtype() == f32)
      conclude(entry, Verdict::too_little_precision, refuse_f32(inputs[i]));
    else
      check.places.push_back({i, check.report.inputs.size() - 1});
  }
}

bool is_repeatable(Check& check) {
  const Tensor again = check.subject.value(check.subject.inputs());
  if (same_bits(check.output, again)) return true;
  std::string reason = "two calls with the same inputs gave two outputs";
  if (check.output.shape() == again.shape()) {
    const auto a = check.output.values<double>(), b = again.values<double>();
    const auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin());
    if (x != a.end()) reason += fmt::format(": {} and {} at element {}", *x, *y, x - a.begin());
  }
  for (const Place& place : check.places) conclude(check.entry(place), Verdict::not_deterministic, reason);
  return false;
}

// What is worth saying once the slopes are known.
void add_notes(Check& check) {
  std::string not_finite;
  const auto values = check.output.values<double>();
  const auto found = std::find_if(values.begin(), values.end(), [](double x) { return !std::isfinite(x); });
  if (found != values.end())
    not_finite = fmt::format("; f itself gives {} at element {}", *found, found - values.begin());
  const auto gradients = check.subject.record().gradients(check.positions(), check.cotangent);
  for (size_t k = 0; k < check.places.size(); ++k) {
    GradcheckInput& entry = check.entry(check.places[k]);
    if (entry.verdict != Verdict::right) entry.reason += not_finite;
    if (gradients[k].defined()) continue;
    if (entry.verdict == Verdict::wrong) entry.reason += "; backward gives it no gradient at all";
    if (entry.verdict == Verdict::right)
      entry.note += std::string(entry.note.empty() ? "" : "; ") + "the output does not depend on it";
  }
}

}  // namespace

GradcheckReport gradcheck(const TensorFunction& f, const std::vector<Tensor>& inputs,
                          const GradcheckOptions& options) {
  require(bool(f), "gradcheck: f is an empty function");
  require(
      options.step > 0 && options.relative_tolerance >= 0 && options.resolution > 0 && options.directions > 0,
      "gradcheck: step, resolution and directions must be positive and relative_tolerance not negative, "
      "got {}, {}, {} and {}",
      options.step, options.resolution, options.directions, options.relative_tolerance);
  for (size_t i = 0; i < inputs.size(); ++i)
    require(inputs[i].defined(), "gradcheck: input {} is undefined", i);
  require(
      std::any_of(inputs.begin(), inputs.end(), [](const Tensor& x) { return is_floating(x.dtype()); }),
      "gradcheck: none of {} inputs is floating, so there is no gradient to check; pass the tensors of f64 "
      "that f is a function of as inputs",
      inputs.size());
  const checking::KeepRandom keep(options.random);
  const checking::Subject subject(f, inputs, options.names);
  Check check{subject, options};
  check.report.mode = options.mode;
  list_inputs(check, inputs);
  if (check.places.empty()) return std::move(check.report);
  check.output = subject.value(subject.inputs());
  if (!is_repeatable(check)) return std::move(check.report);
  check.cotangent = checking::draw(options.seed, "cotangent", 0, check.output.shape());
  check_cotangents(check);
  switch (options.mode) {
    case GradcheckMode::full:
      check_full(check);
      break;
    case GradcheckMode::directions:
      check_directions(check);
      break;
    case GradcheckMode::taylor:
      check_taylor(check);
      break;
  }
  add_notes(check);
  return std::move(check.report);
}

}  // namespace headwise
