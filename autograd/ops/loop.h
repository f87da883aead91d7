// From tensors to the strided loop of an elementwise kernel.
#pragma once

#include "headwise/autograd/kernels/strided.h"
#include "headwise/autograd/tensor.h"

namespace headwise::ops {

/// A loop over the shape of operands[0], to which the others are broadcast. Axes of size 1 are dropped and
/// neighbours that can be walked as one are merged, so most loops have rank 1.
template <size_t count>
kernels::StridedLoop<count> make_loop(const std::array<const Tensor*, count>& operands) {
  kernels::StridedLoop<count> loop;
  const Shape& shape = operands[0]->shape();
  bool flat = true;
  for (const Tensor* operand : operands)
    flat = flat && operand->is_contiguous() && operand->numel() == operands[0]->numel();
  if (flat) {
    loop.sizes[0] = operands[0]->numel();
    for (auto& strides : loop.strides) strides[0] = 1;
    return loop;
  }
  auto stride = [&](size_t operand, int axis) -> int64_t {
    const Tensor& x = *operands[operand];
    const int own = axis - (shape.rank() - x.rank());
    return own < 0 || x.shape()[own] == 1 ? 0 : x.strides()[own];
  };
  // Collected innermost first, then turned round.
  int rank = 0;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    if (shape[axis] == 1) continue;
    const auto last = static_cast<size_t>(rank - 1);
    bool merge = rank > 0;
    for (size_t k = 0; merge && k < count; ++k)
      merge = stride(k, axis) == loop.strides[k][last] * loop.sizes[last];
    if (merge) {
      loop.sizes[last] *= shape[axis];
      continue;
    }
    const auto next = static_cast<size_t>(rank++);
    loop.sizes[next] = shape[axis];
    for (size_t k = 0; k < count; ++k) loop.strides[k][next] = stride(k, axis);
  }
  if (rank == 0) return loop;
  loop.rank = rank;
  std::reverse(loop.sizes.begin(), loop.sizes.begin() + rank);
  for (auto& strides : loop.strides) std::reverse(strides.begin(), strides.begin() + rank);
  return loop;
}

/// A loop over the first element of every line of a and b along an axis, along which alone their sizes may
/// differ.
inline kernels::StridedLoop<2> loop_over_lines(const Tensor& a, const Tensor& b, int axis) {
  Shape firsts = a.shape();
  firsts[axis] = 1;
  const Tensor x = alias(a, firsts, a.strides()), y = alias(b, firsts, b.strides());
  return make_loop<2>({&x, &y});
}

}  // namespace headwise::ops
