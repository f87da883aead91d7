#include "headwise/autograd/ops/norm.h"

#include "headwise/autograd/composed.h"
#include "headwise/autograd/kernels/layer_norm.h"
#include "headwise/autograd/ops/arithmetic.h"
#include "headwise/autograd/ops/math.h"
#include "headwise/autograd/ops/reduce.h"
#include "headwise/autograd/record.h"

namespace headwise {

Tensor layer_norm_reference(const Tensor& x, const Tensor& weight, const Tensor& bias, double epsilon) {
  const Tensor centred = x - mean(x, {-1}, true);
  Tensor y = centred / sqrt(mean(centred * centred, {-1}, true) + epsilon);
  if (weight.defined()) y = y * weight;
  return bias.defined() ? y + bias : y;
}

// z = (x - mean) s, y = z weight + bias
// dx = s (g - mean g - z mean(g z)) with g = dy weight, dweight = sum dy z, dbias = sum dy
Tensor layer_norm(const Tensor& given, const Tensor& weight, const Tensor& bias, double epsilon) {
  require_floating("layer_norm", given);
  require(given.rank() >= 1, "layer_norm: expected at least one axis, got shape {}", given.shape());
  require(epsilon >= 0, "layer_norm: epsilon must not be negative, got {}", epsilon);
  const int64_t width = given.size(-1);
  require(width > 0, "layer_norm: the last axis of shape {} is empty", given.shape());
  for (const Tensor* parameter : inputs(weight, bias)) {
    if (!parameter->defined()) continue;
    require_same_dtype("layer_norm", given, *parameter);
    require(parameter->shape() == Shape{width}, "layer_norm: weight and bias must have shape [{}], got {}",
            width, parameter->shape());
  }
  const Tensor x = given.contiguous();
  const Tensor w = weight.defined() ? weight.detach().contiguous() : weight;
  const Tensor b = bias.defined() ? bias.detach().contiguous() : bias;
  Shape per_row = x.shape();
  per_row[x.rank() - 1] = 1;
  const Tensor centre = empty(per_row, x.dtype()), scale = empty(per_row, x.dtype());
  Tensor y = empty(x.shape(), x.dtype());
  dispatch_floating("layer_norm", x.dtype(), [&]<class T>() {
    auto optional = [](const Tensor& t) { return t.defined() ? t.pointer<const T>() : nullptr; };
    kernels::layer_norm(x.pointer<const T>(), optional(w), optional(b), static_cast<T>(epsilon),
                        y.pointer<T>(), centre.pointer<T>(), scale.pointer<T>(), centre.numel(), width);
  });
  return record("layer_norm", y, inputs(x, weight, bias), saves(x, weight, bias, centre, scale),
                [epsilon, width](Vjp& v, const Tensor& input, const Tensor& gain, const Tensor& offset,
                                 const Tensor& means, const Tensor& scales) {
                  if (grad_enabled())
                    return give_composed(v, std::array{input, gain, offset}, [epsilon](const auto& at) {
                      return std::vector{layer_norm_reference(at[0], at[1], at[2], epsilon)};
                    });
                  const Tensor dy = v.cotangent().contiguous();
                  if (v.needs(0)) {
                    const Tensor dx = empty(input.shape(), input.dtype());
                    const Tensor dense_gain = gain.defined() ? gain.contiguous() : gain;
                    dispatch_floating("layer_norm", input.dtype(), [&]<class T>() {
                      kernels::layer_norm_vjp(input.pointer<const T>(),
                                              gain.defined() ? dense_gain.pointer<const T>() : nullptr,
                                              means.pointer<const T>(), scales.pointer<const T>(),
                                              dy.pointer<const T>(), dx.pointer<T>(), means.numel(), width);
                    });
                    v.give(0, dx);
                  }
                  if (v.needs(1)) v.give(1, sum_to(zero_safe_mul(dy, (input - means) * scales), {width}));
                  if (v.needs(2)) v.give(2, sum_to(dy, {width}));
                });
}

}  // namespace headwise
