#include "headwise/autograd/ops/indexing.h"

#include "headwise/autograd/kernels/indexing.h"
#include "headwise/autograd/ops/creation.h"
#include "headwise/autograd/ops/loop.h"
#include "headwise/autograd/ops/select.h"
#include "headwise/autograd/record.h"

namespace headwise {
namespace {

void require_indices(const char* op, const Tensor& index, int64_t size) {
  require(index.dtype() == i64, "{}: indices must be i64, got {}", op, index.dtype());
  const Tensor dense = index.contiguous();
  const int64_t* const values = dense.pointer<const int64_t>();
  for (int64_t i = 0; i < dense.numel(); ++i)
    require(values[i] >= 0 && values[i] < size,
            "{}: index {} at position {} is out of range for an axis of size {}", op, values[i], i, size);
}

// Where the elements of a dense tensor lie in another: each at `start`, `step` times its index further on.
// Both are spread out to the shape of the dense one.
struct Places {
  Tensor start, index;
  int64_t step;

  void read(const Tensor& out) const {
    dispatch_any(out.dtype(), [&]<class T>() {
      kernels::read_at(ops::make_loop<3>({&out, &index, &start}), out.pointer<T>(),
                       index.pointer<const int64_t>(), start.pointer<const T>(), step);
    });
  }
  void add(const char* op, const Tensor& terms) const {
    dispatch_number(op, terms.dtype(), [&]<class T>() {
      kernels::add_at(ops::make_loop<3>({&terms, &index, &start}), terms.pointer<const T>(),
                      index.pointer<const int64_t>(), start.pointer<T>(), step);
    });
  }
};

// An index for each element of the result.
Places elements_of(const Tensor& x, int axis, const Tensor& index) {
  Strides strides = x.strides();
  strides[axis] = 0;
  return {alias(x, index.shape(), strides), index, x.strides()[axis]};
}

// An index for each slice across the axis; the index's axes take the place of that axis.
Places slices_of(const Tensor& x, int axis, const Tensor& index) {
  Shape shape = x.shape();
  Strides start = x.strides(), spread = x.shape();
  for (int other = 0; other < x.rank(); ++other) spread[other] = 0;
  shape.erase(axis);
  start.erase(axis);
  spread.erase(axis);
  for (int own = 0; own < index.rank(); ++own) {
    shape.insert(axis + own, index.shape()[own]);
    start.insert(axis + own, 0);
    spread.insert(axis + own, index.strides()[own]);
  }
  return {alias(x, shape, start), alias(index, shape, spread), x.strides()[axis]};
}

void require_gather_shapes(const char* op, const Tensor& index, const Shape& shape, int axis) {
  Shape expected = shape;
  if (index.rank() == shape.rank()) expected[axis] = index.shape()[axis];
  require(index.shape() == expected, "{}: an index of shape {} must agree with shape {} except along axis {}",
          op, index.shape(), shape, axis);
}

Tensor select_slices(const char* op, const Tensor& x, int given_axis, const Tensor& indices);
Tensor index_select_grad(const Tensor& dy, int axis, const Tensor& indices, const Shape& shape);

}  // namespace

// y = x[index]           dx[index] += dy
Tensor gather(const Tensor& x, int given_axis, const Tensor& index) {
  const int axis = normalise_axis("gather", given_axis, x.shape());
  require_gather_shapes("gather", index, x.shape(), axis);
  require_indices("gather", index, x.shape()[axis]);
  Tensor y = empty(index.shape(), x.dtype());
  elements_of(x, axis, index).read(y);
  return record("gather", y, inputs(x), saves(index), [axis](Vjp& v, const Tensor& positions) {
    if (grad_enabled()) return v.give(0, scatter_add(v.cotangent(), axis, positions, v.input_shape(0)));
    v.give_into(0, [&](Tensor& sum) { elements_of(sum, axis, positions).add("gather", v.cotangent()); });
  });
}

// y = 0, y[index] += x   dx = dy[index]
Tensor scatter_add(const Tensor& x, int given_axis, const Tensor& index, const Shape& shape) {
  const int axis = normalise_axis("scatter_add", given_axis, shape);
  require_gather_shapes("scatter_add", index, shape, axis);
  require(x.shape() == index.shape(), "scatter_add: values of shape {} need an index of that shape, got {}",
          x.shape(), index.shape());
  require_indices("scatter_add", index, shape[axis]);
  Tensor y = zeros(shape, x.dtype());
  elements_of(y, axis, index).add("scatter_add", x);
  return record("scatter_add", y, inputs(x), saves(index), [axis](Vjp& v, const Tensor& positions) {
    v.give(0, gather(v.cotangent(), axis, positions));
  });
}

Tensor index_select(const Tensor& x, int axis, const Tensor& indices) {
  return select_slices("index_select", x, axis, indices);
}

Tensor embedding(const Tensor& table, const Tensor& indices, std::optional<int64_t> padding_row) {
  require(table.rank() == 2, "embedding: the table must have shape (rows, width), got {}", table.shape());
  require(!padding_row || (*padding_row >= 0 && *padding_row < table.size(0)),
          "embedding: padding_row {} is not one of {} rows", padding_row.value_or(0), table.size(0));
  Tensor rows = select_slices("embedding", table, 0, indices);
  if (!padding_row || !rows.requires_grad()) return rows;
  const Tensor padding = indices == full({}, static_cast<double>(*padding_row), i64);
  return where(padding.unsqueeze(-1), rows.detach(), rows);
}

Tensor one_hot(const Tensor& indices, int64_t classes, DType dtype) {
  require(classes >= 0, "one_hot: the number of classes must not be negative, got {}", classes);
  require_indices("one_hot", indices, classes);
  return (indices.unsqueeze(-1) == arange(classes)).to(dtype);
}

namespace {

// y = x[.., indices, ..] dx[.., indices, ..] += dy
Tensor select_slices(const char* op, const Tensor& x, int given_axis, const Tensor& indices) {
  const int axis = normalise_axis(op, given_axis, x.shape());
  require_indices(op, indices, x.shape()[axis]);
  const Places places = slices_of(x, axis, indices);
  Tensor y = empty(places.start.shape(), x.dtype());
  places.read(y);
  return record("index_select", y, inputs(x), saves(indices), [axis](Vjp& v, const Tensor& positions) {
    if (grad_enabled()) return v.give(0, index_select_grad(v.cotangent(), axis, positions, v.input_shape(0)));
    v.give_into(0, [&](Tensor& sum) { slices_of(sum, axis, positions).add("index_select", v.cotangent()); });
  });
}

// The sum of the slices of dy that share an index; its vjp is index_select.
Tensor index_select_grad(const Tensor& dy, int axis, const Tensor& indices, const Shape& shape) {
  Tensor y = zeros(shape, dy.dtype());
  slices_of(y, axis, indices).add("index_select_grad", dy);
  return record("index_select_grad", y, inputs(dy), saves(indices), [axis](Vjp& v, const Tensor& positions) {
    v.give(0, index_select(v.cotangent(), axis, positions));
  });
}

}  // namespace
}  // namespace headwise
