#include "headwise/autograd/ops/cross_entropy.h"

#include "headwise/autograd/composed.h"
#include "headwise/autograd/kernels/cross_entropy.h"
#include "headwise/autograd/kernels/sum.h"
#include "headwise/autograd/ops/arithmetic.h"
#include "headwise/autograd/ops/creation.h"
#include "headwise/autograd/ops/indexing.h"
#include "headwise/autograd/ops/reduce.h"
#include "headwise/autograd/ops/select.h"
#include "headwise/autograd/ops/softmax.h"

namespace headwise {
namespace {

constexpr int64_t no_class = -1;

void check(const Tensor& logits, const Tensor& targets, const CrossEntropyOptions& options) {
  require_floating("cross_entropy", logits);
  require(targets.dtype() == i64, "cross_entropy: targets must be i64 class numbers, got {}",
          targets.dtype());
  require(logits.rank() >= 1 && logits.rank() == targets.rank() + 1,
          "cross_entropy: logits of shape {} need targets with one axis fewer, got {}", logits.shape(),
          targets.shape());
  for (int axis = 0; axis < targets.rank(); ++axis)
    require(logits.shape()[axis] == targets.shape()[axis],
            "cross_entropy: logits of shape {} and targets of shape {} differ in size along axis {}",
            logits.shape(), targets.shape(), axis);
  require(options.label_smoothing >= 0 && options.label_smoothing <= 1,
          "cross_entropy: label_smoothing must lie between 0 and 1, got {}", options.label_smoothing);
  const int64_t classes = logits.size(-1);
  if (options.class_weights.defined()) {
    require_same_dtype("cross_entropy", logits, options.class_weights);
    require(options.class_weights.shape() == Shape{classes},
            "cross_entropy: class_weights must have shape [{}], got {}", classes,
            options.class_weights.shape());
  }
  const Tensor dense = targets.contiguous();
  for (int64_t i = 0; i < dense.numel(); ++i) {
    const int64_t target = dense.pointer<const int64_t>()[i];
    require((target >= 0 && target < classes) || target == options.ignore_index,
            "cross_entropy: target {} at position {} is not one of {} classes", target, i, classes);
  }
}

struct CountedRows {
  int64_t rows = 0;
  double weight = 0;  // what the mean divides by
};

CountedRows count(const Tensor& targets, const CrossEntropyOptions& options) {
  CountedRows counted;
  const Tensor weights =
      options.class_weights.defined() ? options.class_weights.detach().to(f64).contiguous() : Tensor();
  for (int64_t i = 0; i < targets.numel(); ++i) {
    const int64_t target = targets.pointer<const int64_t>()[i];
    if (target == options.ignore_index) continue;
    ++counted.rows;
    counted.weight += weights.defined() ? weights.pointer<const double>()[target] : 1;
  }
  return counted;
}

double divisor(const CountedRows& counted, Reduction reduction) {
  return reduction != Reduction::mean || counted.weight == 0 ? 1 : counted.weight;
}

}  // namespace

CrossEntropy cross_entropy_reference(const Tensor& logits, const Tensor& targets,
                                     const CrossEntropyOptions& options) {
  check(logits, targets, options);
  const int64_t classes = logits.size(-1);
  const Tensor ignored = options.ignore_index
                             ? targets == full({}, static_cast<double>(*options.ignore_index), i64)
                             : full(targets.shape(), 0, boolean);
  const Tensor safe_targets = masked_fill(targets, ignored, 0).unsqueeze(-1);
  const Tensor weights =
      options.class_weights.defined() ? options.class_weights.detach() : ones({classes}, logits.dtype());
  const Tensor losses = -(log_softmax(logits, -1) * weights);
  const Tensor own = gather(losses, -1, safe_targets).squeeze(-1);
  const double share = options.label_smoothing / static_cast<double>(classes);
  const Tensor rows = share == 0 ? own : own * (1 - options.label_smoothing) + sum(losses, {-1}) * share;
  const CountedRows counted = count(targets.contiguous(), options);
  const Tensor losses_of_rows = masked_fill(rows, ignored, 0);
  if (options.reduction == Reduction::none) return {losses_of_rows, counted.rows};
  return {sum(losses_of_rows) / divisor(counted, options.reduction), counted.rows};
}

// loss = row losses, or their sum / divisor; for the rows' gradient see kernels/cross_entropy.h
CrossEntropy cross_entropy(const Tensor& given, const Tensor& given_targets,
                           const CrossEntropyOptions& options) {
  check(given, given_targets, options);
  const Tensor logits = given.contiguous(), targets = given_targets.contiguous();
  const Tensor weights =
      options.class_weights.defined() ? options.class_weights.detach().contiguous() : options.class_weights;
  const CountedRows counted = count(targets, options);
  const double scale = 1 / divisor(counted, options.reduction);
  const Tensor sums = empty(targets.shape(), logits.dtype());
  const bool by_row = options.reduction == Reduction::none;
  Tensor loss = empty(by_row ? targets.shape() : Shape{}, logits.dtype());
  auto rule = [classes = logits.size(-1), options]<class T>(const Tensor& class_weights) {
    return kernels::CrossEntropyRule<T>{classes, static_cast<T>(options.label_smoothing),
                                        class_weights.defined() ? class_weights.pointer<const T>() : nullptr,
                                        options.ignore_index.value_or(no_class)};
  };
  dispatch_floating("cross_entropy", logits.dtype(), [&]<class T>() {
    const Tensor losses = by_row ? loss : empty(targets.shape(), logits.dtype());
    kernels::cross_entropy(rule.template operator()<T>(weights), logits.pointer<const T>(),
                           targets.pointer<const int64_t>(), losses.pointer<T>(), sums.pointer<T>(),
                           targets.numel());
    if (by_row) return;
    *loss.pointer<T>() = kernels::sum_of(losses.pointer<const T>(), losses.numel()) * static_cast<T>(scale);
  });
  loss =
      record("cross_entropy", loss, inputs(logits), saves(logits, targets, weights, sums),
             [rule, scale, options](Vjp& v, const Tensor& x, const Tensor& classes,
                                    const Tensor& class_weights, const Tensor& logsumexps) {
               if (grad_enabled())
                 return give_composed(v, std::array{x}, [&](const auto& at) {
                   return std::vector{cross_entropy_reference(at[0], classes, options).loss};
                 });
               const Tensor dx = empty(x.shape(), x.dtype());
               const Tensor dloss = v.cotangent().contiguous();
               dispatch_floating("cross_entropy", x.dtype(), [&]<class T>() {
                 kernels::cross_entropy_vjp(rule.template operator()<T>(class_weights), x.pointer<const T>(),
                                            classes.pointer<const int64_t>(), logsumexps.pointer<const T>(),
                                            dloss.pointer<const T>(), dloss.rank() > 0, static_cast<T>(scale),
                                            dx.pointer<T>(), classes.numel());
               });
               v.give(0, dx);
             });
  return {loss, counted.rows};
}

}  // namespace headwise
