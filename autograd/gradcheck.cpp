#include "headwise/autograd/gradcheck.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "headwise/autograd/backward.h"
#include "headwise/autograd/grad_mode.h"
#include "headwise/autograd/gradcheck/keep_random.h"
#include "headwise/autograd/kernels/slope.h"
#include "headwise/autograd/ops/arithmetic.h"
#include "headwise/autograd/ops/creation.h"
#include "headwise/autograd/ops/reduce.h"

namespace headwise {
namespace {

constexpr size_t listed = 10;
constexpr int taylor_steps = 8;

bool same_bits(const Tensor& a, const Tensor& b) {
  if (a.defined() != b.defined()) return false;
  if (!a.defined()) return true;
  if (a.shape() != b.shape() || a.dtype() != b.dtype()) return false;
  const Tensor x = a.detach().contiguous(), y = b.detach().contiguous();
  return std::memcmp(x.data()->data, y.data()->data, static_cast<size_t>(x.numel()) * size_of(x.dtype())) ==
         0;
}

// Copies of the inputs; those of f64 are leaves.
std::vector<Tensor> as_leaves(const std::vector<Tensor>& inputs, bool turned) {
  std::vector<Tensor> leaves;
  for (const Tensor& input : inputs) {
    Tensor copy = input.detach().clone();
    if (turned && copy.rank() >= 2) copy = copy.transpose(0, -1).contiguous().transpose(0, -1);
    if (input.dtype() == f64) copy.set_requires_grad(true);
    leaves.push_back(std::move(copy));
  }
  return leaves;
}

class Check {
 public:
  Check(const TensorFunction& f, const std::vector<Tensor>& inputs, const GradcheckOptions& options)
      : f_(f), options_(options) {
    for (const Tensor& input : inputs) inputs_.push_back(input.detach().clone());
  }

  GradcheckReport run(const std::vector<Tensor>& given) {
    for (size_t i = 0; i < given.size(); ++i) {
      if (!is_floating(given[i].dtype())) continue;
      GradcheckInput& entry = report_.inputs.emplace_back();
      entry.name = i < options_.names.size() ? options_.names[i] : fmt::format("input {}", i);
      entry.reason = shared_memory(given[i]);
      if (given[i].dtype() == f32) {
        entry.verdict = Verdict::too_little_precision;
        entry.reason =
            "f32 holds 24 bits: differences would tell the slope to about one part in a thousand with a step "
            "of "
            "5e-3; convert the input with to(f64)";
      } else {
        checked_.push_back({i, report_.inputs.size() - 1});
      }
    }
    if (checked_.empty()) return std::move(report_);
    const Tensor output = value(inputs_);
    require(output.dtype() == f64, "gradcheck: the output must be f64, got {}", output.dtype());
    if (!repeatable(output)) return std::move(report_);
    shape_ = output.shape();
    cotangent_ = random_like(shape_, "cotangent", 0);
    check_cotangents();
    for (const Place& place : checked_) {
      if (options_.mode == GradcheckMode::full) check_jacobian(place);
      if (options_.mode == GradcheckMode::directions) check_directions(place);
      if (options_.mode == GradcheckMode::taylor) check_taylor(place);
    }
    return std::move(report_);
  }

 private:
  struct Place {
    size_t argument, entry;
  };

  static std::string shared_memory(const Tensor& x) {
    for (int axis = 0; axis < x.rank(); ++axis)
      if (x.strides()[axis] == 0 && x.shape()[axis] > 1)
        return fmt::format(
            "elements along axis {} share memory: they were checked as {} elements of their own, on a copy",
            axis, x.shape()[axis]);
    return {};
  }

  Tensor value(const std::vector<Tensor>& at) const {
    const NoGrad guard;
    return f_(at).detach().contiguous();
  }

  Tensor random_like(const Shape& shape, const char* label, uint64_t index) const {
    Rng rng = Rng(options_.seed).derive(label, index);
    return randn(shape, rng, f64);
  }

  // The gradients of the checked inputs; zeros where the output does not depend on one.
  std::vector<Tensor> gradients(const Tensor& cotangent, bool turned = false) const {
    const GradMode recording(true);
    const std::vector<Tensor> leaves = as_leaves(inputs_, turned);
    const Tensor output = f_(leaves);
    std::vector<Tensor> wanted, result;
    for (const Place& place : checked_) wanted.push_back(leaves[place.argument]);
    if (output.requires_grad())
      result = grad(std::vector{output}, wanted, std::vector{cotangent}, {.allow_unused = true});
    result.resize(wanted.size());
    for (size_t k = 0; k < wanted.size(); ++k) {
      if (!result[k].defined()) result[k] = zeros(wanted[k].shape(), f64);
      result[k] = result[k].contiguous();
    }
    return result;
  }

  void conclude(const Place& place, Verdict verdict, std::string reason) {
    GradcheckInput& entry = report_.inputs[place.entry];
    if (entry.verdict >= verdict) return;
    entry.verdict = verdict;
    entry.reason = std::move(reason);
  }

  bool repeatable(const Tensor& output) {
    const Tensor again = value(inputs_);
    if (same_bits(output, again)) return true;
    std::string reason = "two calls with the same inputs gave two outputs";
    if (output.shape() == again.shape())
      for (int64_t i = 0; i < output.numel(); ++i) {
        const double a = output.pointer<const double>()[i], b = again.pointer<const double>()[i];
        if (a == b) continue;
        reason += fmt::format(": {} and {} at element {}", a, b, i);
        break;
      }
    for (const Place& place : checked_) conclude(place, Verdict::not_deterministic, reason);
    return false;
  }

  // From inputs that are not contiguous, unless f refuses those, as one with a view must.
  std::vector<Tensor> gradients_turned(const Tensor& cotangent) const {
    try {
      return gradients(cotangent, true);
    } catch (const Error&) {
      return gradients(cotangent);
    }
  }

  // A zero cotangent, the same cotangent twice, and one that is not contiguous, with inputs that are not.
  void check_cotangents() {
    const auto first = gradients(cotangent_), second = gradients(cotangent_);
    const auto none = gradients(zeros(shape_, f64));
    Tensor spread = cotangent_;
    if (spread.rank() >= 2) spread = spread.transpose(0, -1).contiguous().transpose(0, -1);
    const auto turned = gradients_turned(spread);
    const auto expanded = gradients(ones({}, f64).expand(shape_)), dense = gradients(ones(shape_, f64));
    for (size_t k = 0; k < checked_.size(); ++k) {
      if (!same_bits(first[k], second[k]))
        conclude(checked_[k], Verdict::not_deterministic,
                 "two backward passes with the same cotangent gave two gradients");
      for (const double x : none[k].to_vector<double>())
        if (x != 0) {
          conclude(checked_[k], Verdict::wrong,
                   fmt::format("a zero cotangent gave a gradient that is not zero: {}", x));
          break;
        }
      if (differ(first[k], turned[k]))
        conclude(checked_[k], Verdict::wrong,
                 "inputs and a cotangent that are not contiguous gave another gradient than contiguous ones");
      if (differ(expanded[k], dense[k]))
        conclude(checked_[k], Verdict::wrong,
                 "a cotangent expanded from one element gave another gradient than a contiguous one");
    }
  }

  // Beyond rounding: sums may run in another order over another layout.
  static bool differ(const Tensor& a, const Tensor& b) {
    double scale = 0;
    const auto x = a.to_vector<double>(), y = b.to_vector<double>();
    for (const double value : x) scale = std::max(scale, std::abs(value));
    for (size_t i = 0; i < x.size(); ++i)
      if (x[i] != y[i] && !(std::abs(x[i] - y[i]) <= 1e-10 * scale) &&
          !(std::isnan(x[i]) && std::isnan(y[i])))
        return true;
    return false;
  }

  void check_jacobian(const Place& place) {
    const int64_t outputs = shape_.numel(), elements = inputs_[place.argument].numel();
    std::vector<std::vector<double>> rows;  // of the Jacobian: outputs x elements
    for (int64_t o = 0; o < outputs; ++o) {
      Tensor one_hot = zeros(shape_, f64);
      one_hot.mutable_values<double>()[static_cast<size_t>(o)] = 1;
      rows.push_back(gradients(one_hot)[index_of(place)].to_vector<double>());
    }
    std::vector<Tensor> moved = inputs_;
    const auto origin = inputs_[place.argument].to_vector<double>();
    std::vector<std::vector<kernels::Slope>> numeric;
    for (int64_t e = 0; e < elements; ++e) {
      const auto at = static_cast<size_t>(e);
      auto evaluate = [&](double offset, std::span<double> results) {
        moved[place.argument] = inputs_[place.argument].clone();
        moved[place.argument].mutable_values<double>()[at] += offset;
        copy_output(value(moved), results);
      };
      numeric.push_back(kernels::slopes(evaluate, static_cast<size_t>(outputs),
                                        options_.step * std::max(1.0, std::abs(origin[at]))));
    }
    std::vector<Compared> compared;
    for (int64_t e = 0; e < elements; ++e)
      for (int64_t o = 0; o < outputs; ++o)
        compared.push_back(
            {{.element = e, .output = o, .analytic = rows[static_cast<size_t>(o)][static_cast<size_t>(e)]},
             numeric[static_cast<size_t>(e)][static_cast<size_t>(o)]});
    judge(place, std::move(compared), elements);
  }

  // <cotangent, f(x + t v)> as a function of t.
  auto along(const Place& place, const Tensor& direction) const {
    return [this, &place, direction](double offset, std::span<double> results) {
      const NoGrad guard;
      std::vector<Tensor> moved = inputs_;
      moved[place.argument] = inputs_[place.argument] + direction * offset;
      results[0] = sum(value(moved) * cotangent_, {.compensated = true}).item<double>();
    };
  }

  double step_of(const Place& place) const {
    double largest = 1;
    for (const double x : inputs_[place.argument].to_vector<double>())
      largest = std::max(largest, std::abs(x));
    return options_.step * largest;
  }

  template <class F>
  void for_each_direction(const Place& place, F&& body) {
    const Tensor gradient = gradients(cotangent_)[index_of(place)];
    for (int64_t n = 0; n < options_.directions; ++n) {
      const Tensor direction = random_like(inputs_[place.argument].shape(), "direction",
                                           static_cast<uint64_t>(n) + place.argument * 1000);
      body(n, direction, sum(gradient * direction, {.compensated = true}).item<double>());
    }
  }

  void check_directions(const Place& place) {
    std::vector<Compared> compared;
    for_each_direction(place, [&](int64_t n, const Tensor& direction, double analytic) {
      auto evaluate = along(place, direction);
      compared.push_back(
          {{.element = n, .analytic = analytic}, kernels::slopes(evaluate, 1, step_of(place))[0]});
    });
    judge(place, std::move(compared), options_.directions);
  }

  // f(x + t v) - f(x) - t <gradient, v> falls with t^2 for a right gradient and with t for a wrong one, down
  // to the rounding error of f.
  void check_taylor(const Place& place) {
    GradcheckInput& entry = report_.inputs[place.entry];
    entry.elements = options_.directions;
    entry.observed_order = 2;
    for_each_direction(place, [&](int64_t n, const Tensor& direction, double analytic) {
      auto evaluate = along(place, direction);
      auto at = [&](double t) {
        double result = 0;
        evaluate(t, {&result, 1});
        return result;
      };
      const double origin = at(0), floor = 64 * std::numeric_limits<double>::epsilon() * std::abs(origin);
      std::vector<std::pair<double, double>> remainders;  // step, remainder
      double t = 16 * step_of(place);
      for (int k = 0; k < taylor_steps; ++k, t /= 2) {
        const double remainder = std::abs(at(t) - origin - t * analytic);
        if (!(remainder <= floor)) remainders.emplace_back(t, remainder);
      }
      const kernels::Slope slope = kernels::slopes(evaluate, 1, step_of(place))[0];
      double order = 2;
      if (remainders.size() >= 2) {
        const auto& [wide, above] = remainders[remainders.size() - 2];
        const auto& [narrow, below] = remainders.back();
        order = std::log(above / below) / std::log(wide / narrow);
      }
      if (order < entry.observed_order || std::isnan(order)) entry.observed_order = order;
      judge(place, {{{.element = n, .analytic = analytic}, slope}}, options_.directions);
      if (remainders.size() >= 2 && !(order > 1.5) && entry.verdict == Verdict::right)
        conclude(
            place, Verdict::too_little_precision,
            fmt::format("the remainder falls with power {:.2f} of the step, where 2 was expected", order));
    });
  }

  struct Compared {
    GradcheckSlope slope;
    kernels::Slope numeric;
  };

  size_t index_of(const Place& place) const {
    for (size_t k = 0; k < checked_.size(); ++k)
      if (checked_[k].entry == place.entry) return k;
    return 0;
  }

  void copy_output(const Tensor& output, std::span<double> results) const {
    require(output.shape() == shape_, "gradcheck: f gave shape {} at the inputs and {} beside them", shape_,
            output.shape());
    const auto values = output.values<double>();
    std::copy(values.begin(), values.end(), results.begin());
  }

  // Slopes below `negligible` are rounding errors of larger ones, as where terms cancel.
  Verdict judge_one(GradcheckSlope& slope, const kernels::Slope& numeric, double negligible) const {
    slope.numeric = numeric.value;
    slope.error = std::abs(slope.analytic - numeric.value);
    const double size = std::max(std::abs(slope.analytic), std::abs(numeric.value));
    slope.tolerance = options_.relative_tolerance * size + 4 * numeric.uncertainty + negligible;
    if (std::isnan(slope.analytic)) return Verdict::wrong;
    if (numeric.smoothness == kernels::Smoothness::kink) return Verdict::not_differentiable;
    if (numeric.smoothness == kernels::Smoothness::noise) return Verdict::too_little_precision;
    if (!(slope.error <= slope.tolerance)) return Verdict::wrong;
    const bool told = 4 * numeric.uncertainty <= options_.resolution * size;
    return told || slope.analytic == 0 || size <= negligible ? Verdict::right : Verdict::too_little_precision;
  }

  void judge(const Place& place, std::vector<Compared> compared, int64_t elements) {
    GradcheckInput& entry = report_.inputs[place.entry];
    entry.elements = elements;
    double largest = 0;
    for (const Compared& one : compared)
      if (std::isfinite(one.numeric.value)) largest = std::max(largest, std::abs(one.numeric.value));
    const double negligible = 1e-13 * largest;
    std::vector<std::pair<Verdict, GradcheckSlope>> found;
    Verdict worst = Verdict::right;
    for (Compared& one : compared) {
      const Verdict verdict = judge_one(one.slope, one.numeric, negligible);
      worst = std::max(worst, verdict);
      found.emplace_back(verdict, one.slope);
      if (verdict == Verdict::right &&
          std::max(std::abs(one.slope.analytic), std::abs(one.slope.numeric)) > negligible)
        entry.worst_relative_error = std::max(entry.worst_relative_error, one.slope.relative_error());
      if (verdict == Verdict::wrong)
        entry.worst_relative_error = std::isnan(one.slope.relative_error())
                                         ? std::numeric_limits<double>::infinity()
                                         : std::max(entry.worst_relative_error, one.slope.relative_error());
    }
    if (worst == Verdict::right) return;
    auto severity = [](const GradcheckSlope& slope) {
      const double ratio = slope.error / slope.tolerance;
      return std::isnan(ratio) ? std::numeric_limits<double>::infinity() : ratio;
    };
    std::stable_sort(found.begin(), found.end(), [&](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : severity(a.second) > severity(b.second);
    });
    for (const auto& [verdict, slope] : found)
      if (verdict == worst && entry.worst.size() < listed) entry.worst.push_back(slope);
    const auto same =
        std::count_if(found.begin(), found.end(), [&](const auto& one) { return one.first == worst; });
    conclude(place, worst, fmt::format("{} of {} slopes", same, found.size()));
  }

  const TensorFunction& f_;
  const GradcheckOptions& options_;
  std::vector<Tensor> inputs_;
  std::vector<Place> checked_;
  Shape shape_;
  Tensor cotangent_;
  GradcheckReport report_;
};

}  // namespace

GradcheckReport gradcheck(const TensorFunction& f, const std::vector<Tensor>& inputs,
                          const GradcheckOptions& options) {
  require(options.step > 0 && options.relative_tolerance >= 0 && options.directions > 0,
          "gradcheck: step and directions must be positive and relative_tolerance not negative, got {}, {} "
          "and {}",
          options.step, options.directions, options.relative_tolerance);
  for (const Tensor& input : inputs) require(input.defined(), "gradcheck: an input is undefined");
  const checking::KeepRandom keep(options.random);
  return Check(f, inputs, options).run(inputs);
}

}  // namespace headwise
