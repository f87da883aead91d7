#include "headwise/autograd/ops/extremes.h"

#include "headwise/autograd/kernels/reduce.h"
#include "headwise/autograd/ops/arithmetic.h"
#include "headwise/autograd/ops/elementwise.h"
#include "headwise/autograd/ops/indexing.h"
#include "headwise/autograd/ops/reduction.h"
#include "headwise/autograd/record.h"

namespace headwise {
namespace {

using kernels::Extreme;

// 1 where an element equals the extreme of its terms, or where both are NaN, 0 elsewhere; outside the graph.
Tensor ties_with(const Tensor& extremes, const Tensor& x) {
  return ops::binary("ties", x, extremes, [](auto term, auto extreme) {
    return static_cast<decltype(term)>(term == extreme || (term != term && extreme != extreme));
  });
}

// y = extreme of x       dx = dy / ties where x = y, else 0
Tensor extreme(OpName op, Extreme which, const Tensor& x, Axes axes, bool keepdim) {
  const ops::Reduction reduction(op.text, x.shape(), {axes.begin(), axes.size()}, keepdim);
  reduction.require_terms(op.text, x.shape());
  Tensor y = ops::reduce(op.text, reduction, x, x.dtype(),
                         [&]<class T>(const auto& loop, const Tensor& out, const T* in, auto n, auto stride) {
                           kernels::extreme(which, loop, out.pointer<T>(), in, n, stride);
                         });
  return record(op, y, inputs(x), saves(x, y),
                [kept = reduction.kept_shape](Vjp& v, const Tensor& input, const Tensor& found) {
                  const Tensor ties = ties_with(found.view(kept), input);
                  v.give(0, zero_safe_mul(v.cotangent().view(kept), ties / sum_to(ties, kept)));
                });
}

Tensor extreme_index(const char* op, Extreme which, const Tensor& x, int axis, bool keepdim) {
  const ops::Reduction reduction(op, x.shape(), {&axis, 1}, keepdim);
  reduction.require_terms(op, x.shape());
  return ops::reduce(op, reduction, x, i64,
                     [&]<class T>(const auto& loop, const Tensor& out, const T* in, auto n, auto stride) {
                       kernels::extreme_index(which, loop, out.pointer<int64_t>(), in, n, stride);
                     });
}

Indexed indexed_extreme(const char* op, Extreme which, const Tensor& x, int axis, bool keepdim) {
  const Tensor indices = extreme_index(op, which, x, axis, true);
  const Tensor values = gather(x, axis, indices);
  if (keepdim) return {values, indices};
  return {values.squeeze(axis), indices.squeeze(axis)};
}

}  // namespace

Tensor amax(const Tensor& x, Axes axes, bool keepdim) {
  return extreme("amax", Extreme::largest, x, axes, keepdim);
}
Tensor amin(const Tensor& x, Axes axes, bool keepdim) {
  return extreme("amin", Extreme::smallest, x, axes, keepdim);
}

Indexed max(const Tensor& x, int axis, bool keepdim) {
  return indexed_extreme("max", Extreme::largest, x, axis, keepdim);
}
Indexed min(const Tensor& x, int axis, bool keepdim) {
  return indexed_extreme("min", Extreme::smallest, x, axis, keepdim);
}

Tensor argmax(const Tensor& x, int axis, bool keepdim) {
  return extreme_index("argmax", Extreme::largest, x, axis, keepdim);
}
Tensor argmin(const Tensor& x, int axis, bool keepdim) {
  return extreme_index("argmin", Extreme::smallest, x, axis, keepdim);
}

}  // namespace headwise
