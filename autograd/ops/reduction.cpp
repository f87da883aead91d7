#include "headwise/autograd/ops/reduction.h"

#include <optional>

#include "headwise/autograd/ops/loop.h"

namespace headwise::ops {

Reduction::Reduction(const char* op, const Shape& shape, std::span<const int> axes, bool keepdim)
    : kept_shape(shape) {
  for (const int given : axes) {
    const int axis = normalise_axis(op, given, shape);
    require(!reduced[static_cast<size_t>(axis)], "{}: axis {} is named twice", op, given);
    reduced[static_cast<size_t>(axis)] = true;
  }
  if (axes.empty()) reduced.fill(true);
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (!reduced[static_cast<size_t>(axis)]) {
      result.append(shape[axis]);
      continue;
    }
    terms *= shape[axis];
    kept_shape[axis] = 1;
    if (keepdim) result.append(1);
  }
}

void Reduction::require_terms(const char* op, const Shape& shape) const {
  require(terms > 0 || kept_shape.numel() == 0,
          "{}: shape {} has no elements to choose from along the axes given", op, shape);
}

Terms terms_of(const Reduction& reduction, const Tensor& x, const Tensor& out) {
  auto spread = [&](const Tensor& source) -> std::optional<int64_t> {  // one stride for all reduced axes
    int64_t stride = 0, extent = 1;
    for (int axis = source.rank() - 1; axis >= 0; --axis) {
      if (!reduction.reduced[static_cast<size_t>(axis)] || source.shape()[axis] == 1) continue;
      if (extent == 1) {
        stride = source.strides()[axis];
      } else if (source.strides()[axis] != stride * extent) {
        return std::nullopt;
      }
      extent *= source.shape()[axis];
    }
    return stride;
  };
  std::optional<int64_t> stride = spread(x);
  Tensor source = x;
  if (!stride) {
    source = x.contiguous();
    stride = spread(source);
  }
  if (!stride) {
    // Copied with the reduced axes last, then seen in the old order of axes.
    Shape order, moved_shape;
    for (const bool reduced : {false, true})
      for (int axis = 0; axis < x.rank(); ++axis)
        if (reduction.reduced[static_cast<size_t>(axis)] == reduced) order.append(axis);
    for (const int64_t axis : order) moved_shape.append(x.shape()[static_cast<int>(axis)]);
    const Strides moved = contiguous_strides(moved_shape);
    Strides strides = x.strides();
    for (int i = 0; i < order.rank(); ++i) strides[static_cast<int>(order[i])] = moved[i];
    source = alias(empty(moved_shape, x.dtype()), x.shape(), strides);
    source.copy_from(x);
    stride = spread(source);
  }
  const Tensor outputs = alias(out, reduction.kept_shape, contiguous_strides(reduction.kept_shape));
  const Tensor first_terms = alias(source, reduction.kept_shape, source.strides());
  return {make_loop<2>({&outputs, &first_terms}), source, reduction.terms, *stride};
}

}  // namespace headwise::ops
