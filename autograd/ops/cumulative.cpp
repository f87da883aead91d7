#include "headwise/autograd/ops/cumulative.h"

#include "headwise/autograd/kernels/cumulative.h"
#include "headwise/autograd/ops/loop.h"
#include "headwise/autograd/record.h"

namespace headwise {

// y_i = sum of x_j, j <= i    dx_j = sum of dy_i, i >= j
Tensor cumsum(const Tensor& x, int given_axis, const CumsumOptions& options) {
  const int axis = normalise_axis("cumsum", given_axis, x.shape());
  Tensor y = empty(x.shape(), x.dtype());
  dispatch_number("cumsum", x.dtype(), [&]<class T>() {
    if (y.numel() == 0) return;
    const int64_t n = x.shape()[axis], out_step = y.strides()[axis], in_step = x.strides()[axis];
    T* const out = y.pointer<T>();
    const T* const in = x.pointer<const T>();
    const auto lines = ops::loop_over_lines(y, x, axis);
    if (options.reverse) {
      kernels::cumsum(lines, out + (n - 1) * out_step, -out_step, in + (n - 1) * in_step, -in_step, n);
    } else {
      kernels::cumsum(lines, out, out_step, in, in_step, n);
    }
  });
  return record("cumsum", y, inputs(x), saves(), [axis, back = !options.reverse](Vjp& v) {
    v.give(0, cumsum(v.cotangent(), axis, {.reverse = back}));
  });
}

}  // namespace headwise
