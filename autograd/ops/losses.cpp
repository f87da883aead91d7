#include "headwise/autograd/ops/losses.h"

#include <cmath>

#include "headwise/autograd/ops/activations.h"
#include "headwise/autograd/ops/arithmetic.h"
#include "headwise/autograd/ops/creation.h"
#include "headwise/autograd/ops/loop.h"
#include "headwise/autograd/ops/math.h"
#include "headwise/autograd/ops/reduce.h"
#include "headwise/autograd/ops/select.h"
#include "headwise/autograd/record.h"

namespace headwise {
namespace {

void require_sides(const char* op, const Tensor& a, const Tensor& b) {
  require_same_dtype(op, a, b);
  require_floating(op, a);
  require(a.shape() == b.shape(), "{}: shapes {} and {} differ; nothing is broadcast", op, a.shape(),
          b.shape());
}

// f of each pair of elements, outside the graph.
template <class F>
Tensor pairwise(const Tensor& a, const Tensor& b, F f) {
  Tensor y = empty(a.shape(), a.dtype());
  dispatch_floating("loss", a.dtype(), [&]<class T>() {
    kernels::map(ops::make_loop<3>({&y, &a, &b}), y.pointer<T>(), a.pointer<const T>(), b.pointer<const T>(),
                 f);
  });
  return y;
}

// Reduces and records elements computed from two sides. vjp(v, dy, saved ..) sees the cotangent of the
// elements, times `factor`: a scalar unless they were kept apart.
template <size_t saved, class F>
Tensor record_loss(OpName name, const Tensor& elements, Reduction reduction,
                   const std::array<const Tensor*, 2>& sides,
                   const std::array<const Tensor*, saved>& saved_values, F vjp, double factor = 1) {
  const double terms =
      reduction == Reduction::mean ? std::max(1.0, static_cast<double>(elements.numel())) : 1;
  Tensor y = reduction == Reduction::none ? elements : sum(elements);
  if (terms != 1) y = y / terms;
  return record(name, y, sides, saved_values, [vjp, scale = factor / terms](Vjp& v, const auto&... values) {
    vjp(v, scale == 1 ? v.cotangent() : v.cotangent() * scale, values...);
  });
}

// A loss f(a, b) of a - b, whose derivative with respect to it is factor * slope(a, b).
template <class F, class Slope>
Tensor difference_loss(OpName name, const Tensor& a, const Tensor& b, Reduction reduction, F f, Slope slope,
                       double factor = 1) {
  require_sides(name.text, a, b);
  return record_loss(
      name, pairwise(a, b, f), reduction, inputs(a, b), saves(a, b),
      [slope](Vjp& v, const Tensor& dy, const Tensor& left, const Tensor& right) {
        const Tensor da = zero_safe_mul(dy, slope(left, right));
        if (v.needs(0)) v.give(0, da);
        if (v.needs(1)) v.give(1, -da);
      },
      factor);
}

}  // namespace

// y = (a - b)^2          da = dy 2 (a - b), db = -da
Tensor mse_loss(const Tensor& a, const Tensor& b, Reduction reduction) {
  return difference_loss(
      "mse_loss", a, b, reduction, [](auto x, auto z) { return (x - z) * (x - z); },
      [](const Tensor& left, const Tensor& right) { return left - right; }, 2);
}

// y = |a - b|            da = dy sign(a - b), db = -da
Tensor l1_loss(const Tensor& a, const Tensor& b, Reduction reduction) {
  return difference_loss(
      "l1_loss", a, b, reduction, [](auto x, auto z) { return std::abs(x - z); },
      [](const Tensor& left, const Tensor& right) {
        return pairwise(left.detach(), right.detach(), [](auto x, auto z) {
          const auto d = x - z;
          return d > 0 ? decltype(d){1} : d < 0 ? decltype(d){-1} : d;
        });
      });
}

// y = d^2 / 2 or delta (|d| - delta / 2), d = a - b      da = dy d or dy delta sign d, db = -da
Tensor huber_loss(const Tensor& a, const Tensor& b, const HuberOptions& options) {
  const double delta = options.delta;
  require(std::isfinite(delta) && delta > 0, "huber_loss: delta must be finite and above 0, got {}", delta);
  auto value = [delta](auto x, auto z) {
    using T = decltype(x);
    const T d = std::abs(x - z), bend = static_cast<T>(delta);
    return d <= bend ? d * d / 2 : bend * (d - bend / 2);
  };
  // The slope on the straight parts, 0 between them.
  auto beyond = [delta](auto x, auto z) {
    using T = decltype(x);
    const T d = x - z, bend = static_cast<T>(delta);
    return std::abs(d) <= bend ? T{0} : d > 0 ? bend : d < 0 ? -bend : d;
  };
  return difference_loss("huber_loss", a, b, options.reduction, value,
                         [beyond](const Tensor& left, const Tensor& right) {
                           const Tensor straight = pairwise(left.detach(), right.detach(), beyond);
                           return where(straight == 0.0, left - right, straight);
                         });
}

namespace {

Tensor times(const Tensor& x, const Tensor& factor) { return factor.defined() ? x * factor : x; }

Tensor constant_factor(const char* what, const Tensor& factor, const Tensor& logits) {
  if (!factor.defined()) return factor;
  require_same_dtype("bce_with_logits", logits, factor);
  require(broadcasts_to(factor.shape(), logits.shape()),
          "bce_with_logits: {} of shape {} must broadcast to logits of shape {}", what, factor.shape(),
          logits.shape());
  return factor.detach();
}

}  // namespace

// y = w (p t ln(1 + e^-x) + (1 - t) ln(1 + e^x))
// dx = dy w ((1 - t) s(x) - p t s(-x)), dt = dy w (p ln(1 + e^-x) - ln(1 + e^x))
Tensor bce_with_logits(const Tensor& logits, const Tensor& targets, const BceOptions& options) {
  require_sides("bce_with_logits", logits, targets);
  const Tensor weight = constant_factor("weight", options.weight, logits),
               positive = constant_factor("pos_weight", options.pos_weight, logits);
  Tensor losses = empty(logits.shape(), logits.dtype());
  const Tensor factor = positive.defined() ? positive : scalar_like(logits, 1);
  dispatch_floating("bce_with_logits", logits.dtype(), [&]<class T>() {
    kernels::map(ops::make_loop<4>({&losses, &logits, &targets, &factor}), losses.pointer<T>(),
                 logits.pointer<const T>(), targets.pointer<const T>(), factor.pointer<const T>(),
                 [](T x, T t, T p) {
                   const T tail = std::log1p(std::exp(-std::abs(x))), own = p * t, rest = 1 - t;
                   return (own == 0 ? 0 : own * (std::max(-x, T{0}) + tail)) +
                          (rest == 0 ? 0 : rest * (std::max(x, T{0}) + tail));
                 });
  });
  return record_loss(
      "bce_with_logits", times(losses, weight), options.reduction, inputs(logits, targets),
      saves(logits, targets, weight, positive),
      [](Vjp& v, const Tensor& given_dy, const Tensor& x, const Tensor& t, const Tensor& w, const Tensor& p) {
        const Tensor dy = times(given_dy, w);
        if (v.needs(0)) v.give(0, zero_safe_mul(dy, (1.0 - t) * sigmoid(x) - times(t, p) * sigmoid(-x)));
        if (v.needs(1)) v.give(1, zero_safe_mul(dy, p.defined() ? p * softplus(-x) - softplus(x) : -x));
      });
}

// y = t (ln t - x)       dx = -dy t, dt = dy (ln t - x + 1)
// of log-targets u:      y = e^u (u - x), dx = -dy e^u, du = dy e^u (u - x + 1)
Tensor kl_div(const Tensor& log_probabilities, const Tensor& targets, const KlOptions& options) {
  require_sides("kl_div", log_probabilities, targets);
  const bool logs = options.log_targets;
  const Tensor losses = pairwise(log_probabilities, targets, [logs](auto x, auto given) {
    const auto t = logs ? std::exp(given) : given, log_t = logs ? given : std::log(given);
    return t == 0 ? decltype(t){0} : t * (log_t - x);
  });
  return record_loss("kl_div", losses, options.reduction, inputs(log_probabilities, targets),
                     saves(save_if(targets.requires_grad(), log_probabilities), targets),
                     [logs](Vjp& v, const Tensor& dy, const Tensor& x, const Tensor& given) {
                       const Tensor t = logs ? exp(given) : given;
                       if (v.needs(0)) v.give(0, -zero_safe_mul(dy, t));
                       if (!v.needs(1)) return;
                       const Tensor nothing = t == 0.0;
                       const Tensor own = masked_fill(given, nothing, 1), other = masked_fill(x, nothing, 0);
                       const Tensor slope = logs ? exp(own) * (own - other + 1.0) : log(own) - other + 1.0;
                       v.give(1, zero_safe_mul(dy, masked_fill(slope, nothing, 0)));
                     });
}

}  // namespace headwise
