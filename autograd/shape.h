// Shapes and strides: up to max_rank sizes, held inline so that a tensor needs no second allocation.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

#include <fmt/format.h>

namespace headwise {

inline constexpr int max_rank = 8;

/// The sizes of a tensor's axes; rank 0 is a scalar. Prints as `[2, 3]`.
/// Throws Error when more than max_rank axes are given.
class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<int64_t> sizes) : Shape(std::span(sizes.begin(), sizes.size())) {}
  explicit Shape(std::span<const int64_t> sizes);

  int rank() const { return rank_; }
  int64_t operator[](int axis) const { return sizes_[static_cast<size_t>(axis)]; }
  int64_t& operator[](int axis) { return sizes_[static_cast<size_t>(axis)]; }
  int64_t back() const { return (*this)[rank_ - 1]; }
  const int64_t* begin() const { return sizes_.data(); }
  const int64_t* end() const { return sizes_.data() + rank_; }

  /// The number of elements: the product of the sizes, 1 for a scalar.
  int64_t numel() const {
    int64_t product = 1;
    for (const int64_t size : *this) product *= size;
    return product;
  }

  void append(int64_t size) {
    if (rank_ == max_rank) refuse_another_axis();
    sizes_[static_cast<size_t>(rank_++)] = size;
  }
  /// Keeps the leading sizes; those of axes that are new are not set.
  void set_rank(int rank) { rank_ = rank; }
  void erase(int axis);
  void insert(int axis, int64_t size);

  bool operator==(const Shape& other) const {
    bool equal = rank_ == other.rank_;
    for (int axis = 0; equal && axis < rank_; ++axis) equal = (*this)[axis] == other[axis];
    return equal;
  }

 private:
  [[noreturn]] void refuse_another_axis() const;

  std::array<int64_t, max_rank> sizes_;
  int rank_ = 0;
};

/// Distances, in elements, between neighbours along each axis; 0 along an expanded axis.
using Strides = Shape;

/// The strides of a row-major block of this shape.
Strides contiguous_strides(const Shape& shape);

/// Writes those strides and the number of elements in place; false when a size is negative or the number
/// cannot be counted.
inline bool lay_out(const Shape& shape, Strides& strides, int64_t& numel) {
  strides.set_rank(shape.rank());
  numel = 1;
  bool sound = true;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    strides[axis] = numel;
    sound &= shape[axis] >= 0 && !__builtin_mul_overflow(numel, shape[axis], &numel);
  }
  return sound;
}

/// The shape two operands broadcast to by NumPy's rule; Error names `op`, both shapes and the clashing axis.
Shape broadcast_shapes(const char* op, const Shape& a, const Shape& b);

/// Whether broadcasting `from` with `to` gives `to`.
bool broadcasts_to(const Shape& from, const Shape& to);

/// Counts a negative axis from the end; Error names `op`, the axis and the shape when it is out of range.
int normalise_axis(const char* op, int axis, const Shape& shape);

/// The number of elements; Error names `op` when a size is negative or the product overflows.
int64_t checked_numel(const char* op, const Shape& shape);

/// Where an element of a shape lies, counted in row-major order.
Shape index_of(int64_t position, const Shape& shape);

std::string to_string(const Shape& shape);

}  // namespace headwise

template <>
struct fmt::formatter<headwise::Shape> : fmt::formatter<std::string> {
  template <class Context>
  auto format(const headwise::Shape& shape, Context& context) const {
    return fmt::formatter<std::string>::format(headwise::to_string(shape), context);
  }
};
