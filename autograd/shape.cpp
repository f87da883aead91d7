#include "headwise/autograd/shape.h"

#include "headwise/autograd/error.h"

namespace headwise {

Shape::Shape(std::span<const int64_t> sizes) : rank_(static_cast<int>(sizes.size())) {
  require(sizes.size() <= max_rank, "shape: {} axes given, at most {} are supported", sizes.size(), max_rank);
  std::copy(sizes.begin(), sizes.end(), sizes_.begin());
}

void Shape::refuse_another_axis() const {
  fail("shape: {} already has {} axes, the most that are supported", *this, max_rank);
}

void Shape::erase(int axis) {
  std::copy(begin() + axis + 1, end(), sizes_.begin() + axis);
  --rank_;
}

void Shape::insert(int axis, int64_t size) {
  if (rank_ == max_rank) refuse_another_axis();
  std::copy_backward(begin() + axis, end(), sizes_.begin() + rank_ + 1);
  sizes_[static_cast<size_t>(axis)] = size;
  ++rank_;
}

Strides contiguous_strides(const Shape& shape) {
  Strides strides;
  int64_t numel = 0;
  lay_out(shape, strides, numel);
  return strides;
}

Shape broadcast_shapes(const char* op, const Shape& a, const Shape& b) {
  const Shape& longer = a.rank() >= b.rank() ? a : b;
  const Shape& shorter = a.rank() >= b.rank() ? b : a;
  Shape result = longer;
  const int lead = longer.rank() - shorter.rank();
  for (int axis = 0; axis < shorter.rank(); ++axis) {
    const int64_t x = longer[lead + axis], y = shorter[axis];
    require(x == y || x == 1 || y == 1,
            "{}: shapes {} and {} do not broadcast: sizes {} and {} clash at axis {} from the end", op, a, b,
            a.rank() >= b.rank() ? x : y, a.rank() >= b.rank() ? y : x, axis - shorter.rank());
    result[lead + axis] = x == 1 ? y : x;
  }
  return result;
}

bool broadcasts_to(const Shape& from, const Shape& to) {
  const int lead = to.rank() - from.rank();
  for (int axis = 0; lead >= 0 && axis < from.rank(); ++axis)
    if (from[axis] != 1 && from[axis] != to[lead + axis]) return false;
  return lead >= 0;
}

int normalise_axis(const char* op, int axis, const Shape& shape) {
  require(axis >= -shape.rank() && axis < shape.rank(), "{}: axis {} is out of range for shape {}", op, axis,
          shape);
  return axis < 0 ? axis + shape.rank() : axis;
}

int64_t checked_numel(const char* op, const Shape& shape) {
  Strides strides;
  int64_t numel = 0;
  const bool sound = lay_out(shape, strides, numel);
  for (const int64_t size : shape) require(size >= 0, "{}: shape {} has a negative size", op, shape);
  require(sound, "{}: shape {} holds more elements than can be counted", op, shape);
  return numel;
}

Shape index_of(int64_t position, const Shape& shape) {
  Shape index = shape;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    index[axis] = position % shape[axis];
    position /= shape[axis];
  }
  return index;
}

std::string to_string(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

}  // namespace headwise
