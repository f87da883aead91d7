#include "headwise/autograd/ops/indexing.h"

#include <limits>

#include "headwise/autograd/kernels/parallel.h"
#include "headwise/autograd/ops/creation.h"
#include "headwise/autograd/ops/loop.h"
#include "headwise/autograd/record.h"

namespace headwise {
namespace {

constexpr int64_t on_one_thread = std::numeric_limits<int64_t>::max();

void require_indices(const char* op, const Tensor& index, int64_t size) {
  require(index.dtype() == i64, "{}: indices must be i64, got {}", op, index.dtype());
  const Tensor dense = index.contiguous();
  const int64_t* const values = dense.pointer<const int64_t>();
  for (int64_t i = 0; i < dense.numel(); ++i)
    require(values[i] >= 0 && values[i] < size,
            "{}: index {} at position {} is out of range for a table of size {}", op, values[i], i, size);
}

// A loop over `index` with `x` beside it, standing still along the indexed axis.
kernels::StridedLoop<3> beside_index(const Tensor& dense, const Tensor& index, const Tensor& x, int axis) {
  Strides strides = x.strides();
  strides[axis] = 0;
  const Tensor still = alias(x, index.shape(), strides);
  return ops::make_loop<3>({&dense, &index, &still});
}

void require_gather_shapes(const char* op, const Tensor& index, const Shape& shape, int axis) {
  Shape expected = shape;
  if (index.rank() == shape.rank()) expected[axis] = index.shape()[axis];
  require(index.shape() == expected, "{}: an index of shape {} must agree with shape {} except along axis {}",
          op, index.shape(), shape, axis);
}

void add_rows(Tensor& sum, const Tensor& indices, const Tensor& dy);
Tensor embedding_grad(const Tensor& dy, const Tensor& indices, int64_t rows);

}  // namespace

// y = x[index]           dx = dy added at index
Tensor gather(const Tensor& x, int given_axis, const Tensor& index) {
  const int axis = normalise_axis("gather", given_axis, x.shape());
  require_gather_shapes("gather", index, x.shape(), axis);
  require_indices("gather", index, x.shape()[axis]);
  Tensor y = empty(index.shape(), x.dtype());
  const auto loop = beside_index(y, index, x, axis);
  const size_t inner = loop.inner();
  dispatch_any(x.dtype(), [&]<class T>() {
    kernels::for_each_run(loop, [&](const std::array<int64_t, 3>& offset, int64_t count) {
      for (int64_t i = 0; i < count; ++i) {
        const int64_t at = index.pointer<const int64_t>()[offset[1] + i * loop.strides[1][inner]];
        y.pointer<T>()[offset[0] + i * loop.strides[0][inner]] =
            x.pointer<const T>()[offset[2] + i * loop.strides[2][inner] + at * x.strides()[axis]];
      }
    });
  });
  return record("gather", y, inputs(x), saves(index), [axis](Vjp& v, const Tensor& positions) {
    v.give(0, scatter_add(v.cotangent(), axis, positions, v.input_shape(0)));
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
  const auto loop = beside_index(x, index, y, axis);
  const size_t inner = loop.inner();
  dispatch_number("scatter_add", x.dtype(), [&]<class T>() {
    kernels::for_each_run(
        loop,
        [&](const std::array<int64_t, 3>& offset, int64_t count) {
          for (int64_t i = 0; i < count; ++i) {
            const int64_t at = index.pointer<const int64_t>()[offset[1] + i * loop.strides[1][inner]];
            y.pointer<T>()[offset[2] + i * loop.strides[2][inner] + at * y.strides()[axis]] +=
                x.pointer<const T>()[offset[0] + i * loop.strides[0][inner]];
          }
        },
        on_one_thread);
  });
  return record("scatter_add", y, inputs(x), saves(index), [axis](Vjp& v, const Tensor& positions) {
    v.give(0, gather(v.cotangent(), axis, positions));
  });
}

// y = table[indices]     dtable[indices] += dy
Tensor embedding(const Tensor& table, const Tensor& indices) {
  require(table.rank() == 2, "embedding: the table must have shape (rows, width), got {}", table.shape());
  require_indices("embedding", indices, table.size(0));
  Shape shape = indices.shape();
  const int64_t width = table.size(1);
  shape.append(width);
  Tensor y = empty(shape, table.dtype());
  const Tensor dense = table.detach().contiguous(), flat = indices.contiguous();
  dispatch_any(table.dtype(), [&]<class T>() {
    const int64_t* const row = flat.pointer<const int64_t>();
    kernels::parallel_rows(flat.numel(), width, kernels::elementwise_grain, [&](int64_t i) {
      std::copy_n(dense.pointer<const T>() + row[i] * width, width, y.pointer<T>() + i * width);
    });
  });
  return record("embedding", y, inputs(table), saves(flat),
                [rows = table.size(0)](Vjp& v, const Tensor& positions) {
                  if (grad_enabled()) return v.give(0, embedding_grad(v.cotangent(), positions, rows));
                  v.give_into(0, [&](Tensor& sum) { add_rows(sum, positions, v.cotangent()); });
                });
}

namespace {

// sum[indices] += dy, in order of position.
void add_rows(Tensor& sum, const Tensor& indices, const Tensor& dy) {
  const int64_t width = sum.size(1);
  const Tensor dense = dy.detach().contiguous();
  dispatch_floating("embedding_grad", sum.dtype(), [&]<class T>() {
    const int64_t* const row = indices.pointer<const int64_t>();
    for (int64_t i = 0; i < indices.numel(); ++i) {
      T* const total = sum.pointer<T>() + row[i] * width;
      const T* const term = dense.pointer<const T>() + i * width;
      for (int64_t j = 0; j < width; ++j) total[j] += term[j];
    }
  });
}

// The sum of the rows of dy that share an index; its vjp is embedding.
Tensor embedding_grad(const Tensor& dy, const Tensor& indices, int64_t rows) {
  Tensor y = zeros({rows, dy.size(-1)}, dy.dtype());
  add_rows(y, indices, dy);
  return record("embedding_grad", y, inputs(dy), saves(indices),
                [](Vjp& v, const Tensor& positions) { v.give(0, embedding(v.cotangent(), positions)); });
}

}  // namespace
}  // namespace headwise
