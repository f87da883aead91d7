#include "headwise/autograd/ops/softmax.h"

#include "headwise/autograd/kernels/softmax.h"
#include "headwise/autograd/ops/arithmetic.h"
#include "headwise/autograd/ops/math.h"
#include "headwise/autograd/ops/reduce.h"
#include "headwise/autograd/record.h"

namespace headwise {
namespace {

// The kernels work on rows: f sees x with the axis last, contiguous, and its result is turned back.
template <class F>
Tensor along_last_axis(const Tensor& x, int axis, F&& f) {
  if (axis == x.rank() - 1) return f(x.contiguous());
  return f(x.transpose(axis, -1).contiguous()).transpose(axis, -1);
}

int64_t rows_of(const Tensor& x) { return x.numel() / std::max<int64_t>(x.size(-1), 1); }

template <class T>
T* at(const Tensor& x) {
  return x.pointer<T>();
}

}  // namespace

// y = softmax(x)         dx = y (dy - sum dy y)
Tensor softmax(const Tensor& given, int given_axis) {
  const int axis = normalise_axis("softmax", given_axis, given.shape());
  require_floating("softmax", given);
  return along_last_axis(given, axis, [](const Tensor& x) {
    Tensor y = empty(x.shape(), x.dtype());
    dispatch_floating("softmax", x.dtype(),
                      [&]<class T>() { kernels::softmax(at<const T>(x), at<T>(y), rows_of(x), x.size(-1)); });
    return record("softmax", y, inputs(x), saves(y), [](Vjp& v, const Tensor& p) {
      const Tensor dy = v.cotangent().contiguous();
      if (grad_enabled()) return v.give(0, zero_safe_mul(dy - sum(zero_safe_mul(dy, p), {-1}, true), p));
      const Tensor dx = empty(p.shape(), p.dtype());
      dispatch_floating("softmax", p.dtype(), [&]<class T>() {
        kernels::softmax_vjp(at<const T>(p), at<const T>(dy), at<T>(dx), rows_of(p), p.size(-1));
      });
      v.give(0, dx);
    });
  });
}

// y = x - ln sum e^x     dx = dy - e^y sum dy
Tensor log_softmax(const Tensor& given, int given_axis) {
  const int axis = normalise_axis("log_softmax", given_axis, given.shape());
  require_floating("log_softmax", given);
  return along_last_axis(given, axis, [](const Tensor& x) {
    Tensor y = empty(x.shape(), x.dtype());
    dispatch_floating("log_softmax", x.dtype(), [&]<class T>() {
      kernels::log_softmax(at<const T>(x), at<T>(y), rows_of(x), x.size(-1));
    });
    return record("log_softmax", y, inputs(x), saves(y), [](Vjp& v, const Tensor& result) {
      const Tensor dy = v.cotangent().contiguous();
      if (grad_enabled()) return v.give(0, dy - zero_safe_mul(sum(dy, {-1}, true), exp(result)));
      const Tensor dx = empty(result.shape(), result.dtype());
      dispatch_floating("log_softmax", result.dtype(), [&]<class T>() {
        kernels::log_softmax_vjp(at<const T>(result), at<const T>(dy), at<T>(dx), rows_of(result),
                                 result.size(-1));
      });
      v.give(0, dx);
    });
  });
}

// y = ln sum e^x         dx = softmax(x) dy
Tensor logsumexp(const Tensor& given, int given_axis, bool keepdim) {
  const int axis = normalise_axis("logsumexp", given_axis, given.shape());
  require_floating("logsumexp", given);
  const Tensor y = along_last_axis(given, axis, [](const Tensor& x) {
    Shape shape = x.shape();
    shape[x.rank() - 1] = 1;
    Tensor total = empty(shape, x.dtype());
    dispatch_floating("logsumexp", x.dtype(), [&]<class T>() {
      kernels::logsumexp(at<const T>(x), at<T>(total), total.numel(), x.size(-1));
    });
    return record("logsumexp", total, inputs(x), saves(x), [](Vjp& v, const Tensor& input) {
      const Tensor dy = v.cotangent().contiguous();
      if (grad_enabled()) return v.give(0, zero_safe_mul(dy, softmax(input, -1)));
      const Tensor dx = empty(input.shape(), input.dtype());
      dispatch_floating("logsumexp", input.dtype(), [&]<class T>() {
        kernels::logsumexp_vjp(at<const T>(input), at<const T>(dy), at<T>(dx), dy.numel(), input.size(-1));
      });
      v.give(0, dx);
    });
  });
  return keepdim ? y : y.squeeze(axis);
}

}  // namespace headwise
