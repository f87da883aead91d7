// The view and copy methods of Tensor, and the ops behind them.
#include "headwise/autograd/ops/views.h"

#include <optional>

#include "headwise/autograd/ops/creation.h"
#include "headwise/autograd/ops/loop.h"
#include "headwise/autograd/ops/reduce.h"
#include "headwise/autograd/record.h"

namespace headwise {
namespace {

// Replaces one -1 by the size that makes the numbers of elements agree.
Shape infer_shape(const char* op, const Tensor& x, const Shape& wanted) {
  Shape shape = wanted;
  int unknown = -1;
  for (int axis = 0; axis < wanted.rank(); ++axis) {
    require(wanted[axis] >= -1 && !(wanted[axis] == -1 && unknown >= 0),
            "{}: shape {} must hold sizes of at least 0 and at most one -1", op, wanted);
    if (wanted[axis] != -1) continue;
    unknown = axis;
    shape[axis] = 1;
  }
  if (unknown >= 0) {
    const int64_t known = checked_numel(op, shape);
    shape[unknown] = known > 0 ? x.numel() / known : 0;
  }
  require(checked_numel(op, shape) == x.numel(), "{}: shape {} ({} elements) cannot be seen as {}", op,
          x.shape(), x.numel(), wanted);
  return shape;
}

// The strides under which x's memory reads as `shape`, where there are any: every axis of the new shape must
// lie inside one run of old axes that is walked with a single stride.
std::optional<Strides> view_strides(const Tensor& x, const Shape& shape) {
  if (x.is_contiguous() || x.numel() == 0) return contiguous_strides(shape);
  Strides strides = shape;
  int axis = shape.rank() - 1;
  for (int old = x.rank() - 1; old >= 0;) {
    int64_t run = x.shape()[old];
    const int64_t step = x.strides()[old];
    int first = old;
    while (first > 0 && (x.shape()[first - 1] == 1 || run == 1 || x.strides()[first - 1] == step * run)) {
      if (run == 1) break;
      run *= x.shape()[--first];
    }
    int64_t covered = 1;
    while (axis >= 0 && (covered < run || shape[axis] == 1)) {
      if (run % (covered * shape[axis]) != 0) return std::nullopt;
      strides[axis] = step * covered;
      covered *= shape[axis--];
    }
    if (covered != run) return std::nullopt;
    old = first - 1;
  }
  return strides;
}

Tensor record_view(const Tensor& x, Tensor y) {
  return record("view", y, inputs(x), saves(),
                [](Vjp& v) { v.give(0, v.cotangent().reshape(v.input_shape(0))); });
}

// y[.., start + i, ..] = x[.., i, ..], zeros elsewhere: the vjp of slice, which in turn is its own.
Tensor pad(const Tensor& x, int axis, int64_t start, int64_t size) {
  Shape shape = x.shape();
  shape[axis] = size;
  Tensor y = zeros(shape, x.dtype());
  {
    const NoGrad guard;
    y.slice(axis, start, start + x.shape()[axis]).copy_from(x);
  }
  return record("pad", y, inputs(x), saves(), [axis, start, length = x.shape()[axis]](Vjp& v) {
    v.give(0, v.cotangent().slice(axis, start, start + length));
  });
}

// `source`, copied when it shows the memory of `target` in another arrangement: written in place, elements
// would be read after they were changed.
Tensor readable_while_writing(const char* op, const Tensor& source, const Tensor& target) {
  require(!grad_enabled() || !source.requires_grad(),
          "{}: the source requires a gradient, which a change in place would lose; detach() it", op);
  const bool apart = source.data()->storage.get() != target.data()->storage.get();
  const bool same_places = source.data()->data == target.data()->data && source.shape() == target.shape() &&
                           source.strides() == target.strides();
  return apart || same_places ? source : source.detach().clone();
}

template <class Order>
Tensor permute_axes(const Tensor& x, const Order& order) {
  Shape shape, strides;
  Shape inverse = x.shape();
  int position = 0;
  for (const auto axis : order) {
    shape.append(x.shape()[static_cast<int>(axis)]);
    strides.append(x.strides()[static_cast<int>(axis)]);
    inverse[static_cast<int>(axis)] = position++;
  }
  Tensor y = alias(x, shape, strides);
  return record("permute", y, inputs(x), saves(),
                [inverse](Vjp& v) { v.give(0, permute_axes(v.cotangent(), inverse)); });
}

void copy_elements(const Tensor& from, const Tensor& to) {
  dispatch_any(from.dtype(), [&]<class From>() {
    dispatch_any(to.dtype(), [&]<class To>() {
      kernels::map(ops::make_loop<2>({&to, &from}), to.pointer<To>(), from.pointer<const From>(),
                   [](From a) { return static_cast<To>(a); });
    });
  });
}

}  // namespace

Tensor Tensor::view(const Shape& wanted) const {
  const Shape shape = infer_shape("view", *this, wanted);
  const auto strides = view_strides(*this, shape);
  require(strides.has_value(),
          "view: a tensor of shape {} with strides {} cannot be seen as {} without copying; use reshape",
          this->shape(), this->strides(), shape);
  return record_view(*this, alias(*this, shape, *strides));
}

Tensor Tensor::reshape(const Shape& wanted) const {
  const Shape shape = infer_shape("reshape", *this, wanted);
  if (const auto strides = view_strides(*this, shape))
    return record_view(*this, alias(*this, shape, *strides));
  return contiguous().view(shape);
}

Tensor Tensor::permute(std::initializer_list<int> axes) const {
  return headwise::permute(*this, {axes.begin(), axes.size()});
}

Tensor Tensor::transpose(int axis0, int axis1) const {
  const int first = normalise_axis("transpose", axis0, shape()),
            second = normalise_axis("transpose", axis1, shape());
  Shape swapped = shape(), strides = this->strides();
  std::swap(swapped[first], swapped[second]);
  std::swap(strides[first], strides[second]);
  Tensor y = alias(*this, swapped, strides);
  return record("permute", y, inputs(*this), saves(),
                [first, second](Vjp& v) { v.give(0, v.cotangent().transpose(first, second)); });
}

Tensor Tensor::slice(int given_axis, int64_t start, int64_t stop) const {
  const int axis = normalise_axis("slice", given_axis, shape());
  const int64_t size = shape()[axis];
  auto clip = [size](int64_t bound) {
    return std::clamp<int64_t>(bound < 0 ? bound + size : bound, 0, size);
  };
  const int64_t first = clip(start);
  Shape result = shape();
  result[axis] = std::max<int64_t>(0, clip(stop) - first);
  Tensor y = alias(*this, result, strides(), first * strides()[axis]);
  return record("slice", y, inputs(*this), saves(), [axis, first, size](Vjp& v) {
    if (grad_enabled()) return v.give(0, pad(v.cotangent(), axis, first, size));
    const Tensor dy = v.cotangent();
    v.give_into(0, [&](Tensor& dx) { dx.slice(axis, first, first + dy.shape()[axis]).add_scaled(dy, 1); });
  });
}

Tensor Tensor::select(int given_axis, int64_t index) const {
  const int axis = normalise_axis("select", given_axis, shape());
  const int64_t size = shape()[axis], position = index < 0 ? index + size : index;
  require(position >= 0 && position < size, "select: index {} is out of range for axis {} of shape {}", index,
          given_axis, shape());
  return slice(axis, position, position + 1).squeeze(axis);
}

Tensor Tensor::unsqueeze(int axis) const {
  require(axis >= -rank() - 1 && axis <= rank(), "unsqueeze: axis {} is out of range for shape {}", axis,
          shape());
  Shape shape = this->shape(), strides = this->strides();
  const int position = axis < 0 ? axis + rank() + 1 : axis;
  shape.insert(position, 1);
  strides.insert(position, 0);
  return record_view(*this, alias(*this, shape, strides));
}

Tensor Tensor::squeeze(int given_axis) const {
  const int axis = normalise_axis("squeeze", given_axis, shape());
  require(shape()[axis] == 1, "squeeze: axis {} of shape {} has size {}, not 1", given_axis, shape(),
          shape()[axis]);
  Shape shape = this->shape(), strides = this->strides();
  shape.erase(axis);
  strides.erase(axis);
  return record_view(*this, alias(*this, shape, strides));
}

Tensor Tensor::expand(const Shape& wanted) const {
  require(broadcasts_to(shape(), wanted), "expand: shape {} does not broadcast to {}", shape(), wanted);
  checked_numel("expand", wanted);
  Strides strides = wanted;
  const int lead = wanted.rank() - rank();
  for (int axis = 0; axis < wanted.rank(); ++axis) {
    const int own = axis - lead;
    strides[axis] = own < 0 || shape()[own] != wanted[axis] ? 0 : this->strides()[own];
  }
  Tensor y = alias(*this, wanted, strides);
  return record("expand", y, inputs(*this), saves(),
                [](Vjp& v) { v.give(0, sum_to(v.cotangent(), v.input_shape(0))); });
}

Tensor Tensor::contiguous() const { return is_contiguous() ? *this : clone(); }

Tensor Tensor::clone() const {
  Tensor y = empty(shape(), dtype());
  copy_elements(*this, y);
  return record("clone", y, inputs(*this), saves(), [](Vjp& v) { v.give(0, v.cotangent()); });
}

Tensor Tensor::to(DType dtype) const {
  if (dtype == this->dtype()) return *this;
  Tensor y = empty(shape(), dtype);
  copy_elements(*this, y);
  if (!is_floating(dtype)) return y;
  return record("to", y, inputs(*this), saves(),
                [from = this->dtype()](Vjp& v) { v.give(0, v.cotangent().to(from)); });
}

Tensor& Tensor::fill(double value) { return copy_from(scalar_like(*this, value)); }

Tensor& Tensor::copy_from(const Tensor& given) {
  require_same_dtype("copy_from", *this, given);
  const Tensor source = readable_while_writing("copy_from", given, *this);
  require(broadcasts_to(source.shape(), shape()), "copy_from: a source of shape {} does not broadcast to {}",
          source.shape(), shape());
  begin_write("copy_from");
  copy_elements(source, *this);
  return *this;
}

Tensor& Tensor::add_scaled(const Tensor& given, double scale) {
  require_same_dtype("add_scaled", *this, given);
  const Tensor other = readable_while_writing("add_scaled", given, *this);
  require(other.shape() == shape(), "add_scaled: shapes {} and {} differ", shape(), other.shape());
  begin_write("add_scaled");
  dispatch_number("add_scaled", dtype(), [&]<class T>() {
    kernels::map(ops::make_loop<3>({this, this, &other}), pointer<T>(), pointer<const T>(),
                 other.pointer<const T>(),
                 [factor = static_cast<T>(scale)](T a, T b) { return a + factor * b; });
  });
  return *this;
}

Tensor permute(const Tensor& x, std::span<const int> axes) {
  const Shape& shape = x.shape();
  Shape order, seen = shape;
  require(static_cast<int>(axes.size()) == x.rank(), "permute: {} axes were named for shape {}", axes.size(),
          shape);
  for (int axis = 0; axis < x.rank(); ++axis) seen[axis] = 0;
  for (const int axis : axes) {
    order.append(normalise_axis("permute", axis, shape));
    require(seen[static_cast<int>(order.back())]++ == 0, "permute: axis {} is named twice", axis);
  }
  return permute_axes(x, order);
}

Tensor identity(const Tensor& x) {
  Tensor y = x.detach();
  return record("identity", y, inputs(x), saves(), [](Vjp& v) { v.give(0, v.cotangent()); });
}

}  // namespace headwise
