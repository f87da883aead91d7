// Sorting along an axis; f32, f64 and i64. NaN comes last in either order, as in NumPy, and equal elements
// keep their order. The gradient of a value goes to where it came from; indices (i64) carry none.
#pragma once

#include "headwise/autograd/ops/indexed.h"

namespace headwise {

struct SortOptions {
  bool descending = false;
};

/// The elements in order along an axis, which may be empty, and the positions they came from.
Indexed sort(const Tensor& x, int axis, const SortOptions& options = {});
/// Those positions alone: gather(x, axis, argsort(x, axis)) is sorted.
Tensor argsort(const Tensor& x, int axis, const SortOptions& options = {});

struct TopkOptions {
  bool largest = true;
};

/// The k largest (or smallest) elements along an axis, best first: the first k of the sorted ones, so that of
/// equal elements the lower index is taken, and a NaN only when nothing else is left. Error unless k is at
/// least 0 and at most the size of the axis.
Indexed topk(const Tensor& x, int64_t k, int axis, const TopkOptions& options = {});

}  // namespace headwise
