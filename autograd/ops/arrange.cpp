#include "headwise/autograd/ops/arrange.h"

#include <functional>
#include <numeric>

#include "headwise/autograd/ops/arithmetic.h"
#include "headwise/autograd/ops/creation.h"
#include "headwise/autograd/ops/select.h"
#include "headwise/autograd/record.h"

namespace headwise {
namespace {

int64_t product(const Shape& shape, int first, int last) {
  return std::accumulate(shape.begin() + first, shape.begin() + last, int64_t{1}, std::multiplies<>());
}

Tensor flip_axes(const Tensor& x, const std::array<bool, max_rank>& flipped) {
  Strides strides = x.strides();
  int64_t last = 0;
  for (int axis = 0; axis < x.rank(); ++axis) {
    if (!flipped[static_cast<size_t>(axis)] || x.numel() == 0) continue;
    last += (x.shape()[axis] - 1) * strides[axis];
    strides[axis] = -strides[axis];
  }
  // Read backwards, but kept forwards: no view that others meet has a negative stride.
  Tensor y = alias(x, x.shape(), strides, last).clone();
  return record("flip", y, inputs(x), saves(),
                [flipped](Vjp& v) { v.give(0, flip_axes(v.cotangent(), flipped)); });
}

// Row and column numbers of the last two axes, of shapes (rows, 1) and (columns), the rows moved by
// `diagonal`; one that lies beyond the matrix is brought to its edge.
struct Positions {
  Tensor rows, columns;

  Positions(const char* op, const Tensor& x, int64_t diagonal) {
    require(x.rank() >= 2, "{}: expected at least two axes, got shape {}", op, x.shape());
    const int64_t height = x.size(-2), width = x.size(-1);
    rows = arange(height).view({height, 1}) + static_cast<double>(std::clamp(diagonal, -height, width));
    columns = arange(width);
  }
};

}  // namespace

// y = a, b, ..           da, db, .. = slices of dy
Tensor cat(std::span<const Tensor> tensors, int given_axis) {
  require(!tensors.empty(), "cat: no tensors were given");
  Shape shape = tensors[0].shape();
  const int axis = normalise_axis("cat", given_axis, shape);
  shape[axis] = 0;
  for (const Tensor& tensor : tensors) {
    require_same_dtype("cat", tensors[0], tensor);
    Shape expected = tensors[0].shape();
    if (tensor.rank() == expected.rank()) expected[axis] = tensor.shape()[axis];
    require(tensor.shape() == expected, "cat: shapes {} and {} must agree except along axis {}",
            tensors[0].shape(), tensor.shape(), axis);
    shape[axis] += tensor.shape()[axis];
  }
  Tensor y = empty(shape, tensors[0].dtype());
  std::vector<int64_t> starts;
  {
    const NoGrad guard;
    int64_t start = 0;
    for (const Tensor& tensor : tensors) {
      starts.push_back(start);
      const int64_t stop = start + tensor.shape()[axis];
      y.slice(axis, start, stop).copy_from(tensor);
      start = stop;
    }
    starts.push_back(start);
  }
  return record("cat", y, inputs(tensors), saves(), [axis, starts](Vjp& v) {
    const Tensor dy = v.cotangent();
    for (size_t i = 0; i + 1 < starts.size(); ++i)
      if (v.needs(i)) v.give(i, dy.slice(axis, starts[i], starts[i + 1]));
  });
}

Tensor cat(std::initializer_list<Tensor> tensors, int axis) {
  return cat(std::span(tensors.begin(), tensors.size()), axis);
}

Tensor stack(std::span<const Tensor> tensors, int given_axis) {
  require(!tensors.empty(), "stack: no tensors were given");
  const Shape& shape = tensors[0].shape();
  const int rank = shape.rank(), axis = given_axis < 0 ? given_axis + rank + 1 : given_axis;
  require(axis >= 0 && axis <= rank, "stack: axis {} is out of range for the {} axes of the result",
          given_axis, rank + 1);
  std::vector<Tensor> layers;
  layers.reserve(tensors.size());
  for (const Tensor& tensor : tensors) {
    require_same_dtype("stack", tensors[0], tensor);
    require(tensor.shape() == shape, "stack: shapes {} and {} differ; all must have one shape", shape,
            tensor.shape());
    layers.push_back(tensor.unsqueeze(axis));
  }
  return cat(layers, axis);
}

Tensor stack(std::initializer_list<Tensor> tensors, int axis) {
  return stack(std::span(tensors.begin(), tensors.size()), axis);
}

std::vector<Tensor> split(const Tensor& x, std::span<const int64_t> sizes, int given_axis) {
  const int axis = normalise_axis("split", given_axis, x.shape());
  const int64_t size = x.shape()[axis];
  int64_t left = size;
  for (const int64_t part : sizes) {
    require(part >= 0 && part <= left,
            "split: parts of sizes [{}] do not cut axis {} of shape {}: they must add up to {}",
            fmt::join(sizes, ", "), given_axis, x.shape(), size);
    left -= part;
  }
  require(left == 0, "split: parts of sizes [{}] leave {} of axis {} of shape {}: they must add up to {}",
          fmt::join(sizes, ", "), left, given_axis, x.shape(), size);
  std::vector<Tensor> parts;
  parts.reserve(sizes.size());
  int64_t start = 0;
  for (const int64_t part : sizes) {
    parts.push_back(x.slice(axis, start, start + part));
    start += part;
  }
  return parts;
}

std::vector<Tensor> split(const Tensor& x, std::initializer_list<int64_t> sizes, int axis) {
  return split(x, std::span(sizes.begin(), sizes.size()), axis);
}

std::vector<Tensor> split(const Tensor& x, int64_t size, int given_axis) {
  const int axis = normalise_axis("split", given_axis, x.shape());
  require(size >= 1, "split: the size of a part must be at least 1, got {}", size);
  const int64_t length = x.shape()[axis];
  std::vector<Tensor> parts;
  int64_t start = 0;
  do {
    const int64_t stop = start + std::min(size, length - start);
    parts.push_back(x.slice(axis, start, stop));
    start = stop;
  } while (start < length);
  return parts;
}

std::vector<Tensor> chunk(const Tensor& x, int64_t count, int given_axis) {
  const int axis = normalise_axis("chunk", given_axis, x.shape());
  require(count >= 1, "chunk: the number of chunks must be at least 1, got {}", count);
  const int64_t size = x.shape()[axis];
  if (size == 0) return split(x, std::vector<int64_t>(static_cast<size_t>(count)), axis);
  return split(x, size / count + (size % count != 0), axis);
}

// y[i] = x[n - 1 - i]    dx = dy flipped
Tensor flip(const Tensor& x, Axes axes) {
  std::array<bool, max_rank> flipped{};
  if (axes.size() == 0) flipped.fill(true);
  for (const int given : axes) {
    bool& mark = flipped[static_cast<size_t>(normalise_axis("flip", given, x.shape()))];
    require(!mark, "flip: axis {} is named twice", given);
    mark = true;
  }
  return flip_axes(x, flipped);
}

Tensor roll(const Tensor& x, std::initializer_list<int64_t> shifts, Axes axes) {
  require(shifts.size() == axes.size() && axes.size() > 0,
          "roll: {} shifts were given for {} axes; each axis needs one", shifts.size(), axes.size());
  Tensor y = x;
  for (size_t i = 0; i < axes.size(); ++i) {
    const int axis = normalise_axis("roll", axes.begin()[i], x.shape());
    const int64_t size = x.shape()[axis];
    const int64_t shift = size == 0 ? 0 : (shifts.begin()[i] % size + size) % size;
    y = cat({y.slice(axis, size - shift, size), y.slice(axis, 0, size - shift)}, axis);
  }
  return y;
}

Tensor repeat(const Tensor& x, const Shape& counts) {
  const int lead = counts.rank() - x.rank();
  require(lead >= 0, "repeat: {} counts {} were given for shape {}; each axis needs one", counts.rank(),
          counts, x.shape());
  Shape shape = counts;
  for (int axis = 0; axis < counts.rank(); ++axis) {
    require(counts[axis] >= 0, "repeat: count {} of axis {} is negative", counts[axis], axis);
    shape[axis] = axis < lead ? 1 : x.shape()[axis - lead];
  }
  Tensor y = x;
  bool copied = false;
  for (int axis = counts.rank() - 1; axis >= 0; --axis) {
    if (counts[axis] == 1) continue;
    // All before the axis, and the axis with all behind it, which is what repeats.
    const int64_t outer = product(shape, 0, axis), inner = product(shape, axis, shape.rank());
    y = y.reshape({outer, 1, inner}).expand({outer, counts[axis], inner}).clone();
    shape[axis] *= counts[axis];
    copied = true;
  }
  return (copied ? y : y.clone()).view(shape);
}

Tensor tril(const Tensor& x, int64_t diagonal) {
  const Positions at("tril", x, diagonal);
  return masked_fill(x, at.rows < at.columns, 0);
}

Tensor triu(const Tensor& x, int64_t diagonal) {
  const Positions at("triu", x, diagonal);
  return masked_fill(x, at.columns < at.rows, 0);
}

}  // namespace headwise
