#include "headwise/autograd/ops/order.h"

#include "headwise/autograd/kernels/order.h"
#include "headwise/autograd/ops/indexing.h"
#include "headwise/autograd/ops/loop.h"

namespace headwise {
namespace {

// The positions of the first k elements in order.
Tensor first_in_order(const char* op, const Tensor& x, int axis, int64_t k, bool descending) {
  Shape shape = x.shape();
  shape[axis] = k;
  Tensor indices = empty(shape, i64);
  dispatch_number(op, x.dtype(), [&]<class T>() {
    if (indices.numel() == 0) return;
    kernels::argsort(ops::loop_over_lines(indices, x, axis), indices.pointer<int64_t>(),
                     indices.strides()[axis], k, x.pointer<const T>(), x.strides()[axis], x.shape()[axis],
                     descending);
  });
  return indices;
}

}  // namespace

Indexed sort(const Tensor& x, int given_axis, const SortOptions& options) {
  const int axis = normalise_axis("sort", given_axis, x.shape());
  const Tensor indices = first_in_order("sort", x, axis, x.shape()[axis], options.descending);
  return {gather(x, axis, indices), indices};
}

Tensor argsort(const Tensor& x, int given_axis, const SortOptions& options) {
  const int axis = normalise_axis("argsort", given_axis, x.shape());
  return first_in_order("argsort", x, axis, x.shape()[axis], options.descending);
}

Indexed topk(const Tensor& x, int64_t k, int given_axis, const TopkOptions& options) {
  const int axis = normalise_axis("topk", given_axis, x.shape());
  require(k >= 0 && k <= x.shape()[axis],
          "topk: k = {} is out of range for axis {} of size {} of shape {}; give 0 to {}", k, given_axis,
          x.shape()[axis], x.shape(), x.shape()[axis]);
  const Tensor indices = first_in_order("topk", x, axis, k, options.largest);
  return {gather(x, axis, indices), indices};
}

}  // namespace headwise
