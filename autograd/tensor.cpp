#include "headwise/autograd/tensor.h"

#include <cstring>

#include "headwise/autograd/grad_mode.h"
#include "headwise/autograd/node.h"

namespace headwise {
namespace {

bool is_row_major(const Shape& shape, const Strides& strides) {
  int64_t step = 1;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    if (shape[axis] != 1 && strides[axis] != step) return false;
    step *= shape[axis];
  }
  return true;
}

LeafNode* leaf_of(const TensorData& data) { return static_cast<LeafNode*>(data.leaf.get()); }

template <class T>
void require_element_type(const char* method, const Tensor& x) {
  require(x.dtype() == dtype_of<T>, "{}: asked for {} elements of a tensor of dtype {}", method, dtype_of<T>,
          x.dtype());
}

}  // namespace

Tensor empty(const Shape& shape, DType dtype) {
  auto data = Reference<TensorData>::adopt(new TensorData);
  if (!lay_out(shape, data->strides, data->numel)) checked_numel("empty", shape);
  require(data->numel < (int64_t{1} << 44), "empty: shape {} is too large to allocate", shape);
  data->storage = Storage::allocate(static_cast<size_t>(data->numel) * size_of(dtype));
  data->data = data->storage->data();
  data->shape = shape;
  data->dtype = dtype;
  return Tensor(std::move(data), Edge());
}

Tensor empty_broadcast(const char* op, const Tensor& a, const Tensor& b, DType dtype) {
  if (a.shape() == b.shape()) return empty(a.shape(), dtype);
  return empty(broadcast_shapes(op, a.shape(), b.shape()), dtype);
}

Tensor alias(const Tensor& source, const Shape& shape, const Strides& strides, int64_t offset) {
  auto data = Reference<TensorData>::adopt(new TensorData);
  data->storage = source.data()->storage;
  data->data = source.data()->data + offset * static_cast<int64_t>(size_of(source.dtype()));
  data->shape = shape;
  data->strides = strides;
  data->numel = shape.numel();
  data->dtype = source.dtype();
  data->contiguous = is_row_major(shape, strides);
  return Tensor(std::move(data), Edge());
}

Tensor Tensor::detach() const { return alias(*this, shape(), strides()); }

Tensor& Tensor::set_requires_grad(bool wanted) {
  require(is_leaf(), "set_requires_grad: this tensor was computed by {}; call detach() first",
          is_leaf() ? "nothing" : edge_.node()->name());
  require(!wanted || is_floating(dtype()),
          "set_requires_grad: a tensor of dtype {} has no gradient; use to(f64)", dtype());
  if (!wanted) {
    data_->leaf = {};
  } else if (!data_->leaf) {
    data_->leaf = Reference<NodeBase>::adopt(new LeafNode(shape(), dtype()));
  }
  return *this;
}

Tensor Tensor::grad() const { return data_->leaf ? leaf_of(*data_)->gradient : Tensor(); }

void Tensor::set_grad(Tensor gradient) {
  if (!gradient.defined() && !data_->leaf) return;
  require(static_cast<bool>(data_->leaf), "set_grad: this tensor is not a leaf that requires a gradient");
  require(!gradient.defined() || (gradient.shape() == shape() && gradient.dtype() == dtype()),
          "set_grad: a gradient for shape {} and dtype {} was given shape {} and dtype {}", shape(), dtype(),
          gradient.defined() ? gradient.shape() : shape(), gradient.defined() ? gradient.dtype() : dtype());
  leaf_of(*data_)->gradient = std::move(gradient);
}

void Tensor::begin_write(const char* op) {
  require(
      !requires_grad() || !grad_enabled(),
      "{}: this tensor requires a gradient and must not be changed in place while recording; wrap the change "
      "in NoGrad, or detach() it",
      op);
  for (int axis = 0; axis < rank(); ++axis)
    require(strides()[axis] != 0 || shape()[axis] <= 1 || numel() == 0,
            "{}: several elements of this expanded tensor (shape {}, axis {}) share memory; clone() it first",
            op, shape(), axis);
  data_->storage->version.fetch_add(1, std::memory_order_relaxed);
}

template <class T>
std::span<const T> Tensor::values() const {
  require_element_type<T>("values", *this);
  require(is_contiguous(),
          "values: a tensor of shape {} with strides {} is not contiguous; call contiguous() first", shape(),
          strides());
  return {pointer<const T>(), static_cast<size_t>(numel())};
}

template <class T>
std::span<T> Tensor::mutable_values() {
  const auto checked = values<T>();
  begin_write("mutable_values");
  return {pointer<T>(), checked.size()};
}

template <class T>
T Tensor::item() const {
  require_element_type<T>("item", *this);
  require(numel() == 1, "item: expected one element, got shape {}", shape());
  return *pointer<const T>();
}

template <class T>
std::vector<T> Tensor::to_vector() const {
  require_element_type<T>("to_vector", *this);
  const Tensor dense = detach().contiguous();
  return std::vector<T>(dense.pointer<const T>(), dense.pointer<const T>() + numel());
}

#define HEADWISE_INSTANTIATE(T)                          \
  template std::span<const T> Tensor::values<T>() const; \
  template std::span<T> Tensor::mutable_values<T>();     \
  template T Tensor::item<T>() const;                    \
  template std::vector<T> Tensor::to_vector<T>() const;
HEADWISE_INSTANTIATE(float)
HEADWISE_INSTANTIATE(double)
HEADWISE_INSTANTIATE(int64_t)
HEADWISE_INSTANTIATE(bool)
#undef HEADWISE_INSTANTIATE

void require_same_dtype(const char* op, const Tensor& a, const Tensor& b) {
  require(a.dtype() == b.dtype(), "{}: dtypes {} and {} do not mix; convert one with to()", op, a.dtype(),
          b.dtype());
}

void require_floating(const char* op, const Tensor& x) {
  require(is_floating(x.dtype()), "{}: expected f32 or f64, got {}; convert with to()", op, x.dtype());
}

}  // namespace headwise
