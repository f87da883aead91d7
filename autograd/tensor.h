// Tensors: strided views of shared memory with a dtype known at run time, and a place in the graph.
//
// A Tensor is a handle, cheap to copy: it shares the data it views, and it holds the graph node that computed
// it. Views (view, transpose, slice, ...) share memory with their source, as in NumPy and PyTorch. There is
// no type promotion: an op that is given two dtypes throws an Error naming both.
//
// Threads: different tensors may be used from different threads, and a graph may be built on several and run
// on another. Concurrent writes to one tensor's memory are the caller's to order.
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "headwise/autograd/dtype.h"
#include "headwise/autograd/node_handle.h"
#include "headwise/autograd/shape.h"
#include "headwise/autograd/storage.h"

namespace headwise {

/// What the handles of one tensor share: memory, its interpretation and, for a leaf, its gradient.
struct TensorData : Counted {
  Reference<Storage> storage;
  std::byte* data = nullptr;
  Shape shape;
  Strides strides;
  int64_t numel = 0;
  DType dtype = f32;
  bool contiguous = true;
  Reference<NodeBase> leaf;

  static void* operator new(size_t bytes) { return pool::allocate(bytes); }
  static void operator delete(void* block, size_t bytes) noexcept { pool::deallocate(block, bytes); }
};
inline void destroy(TensorData* data) noexcept { delete data; }

class Tensor {
 public:
  /// An undefined tensor: defined() is false and nothing else may be asked of it. Only where an op says that
  /// an operand may be undefined may it be given one; others do not look.
  Tensor() = default;

  bool defined() const { return static_cast<bool>(data_); }
  const Shape& shape() const { return data_->shape; }
  const Strides& strides() const { return data_->strides; }
  int rank() const { return data_->shape.rank(); }
  int64_t numel() const { return data_->numel; }
  DType dtype() const { return data_->dtype; }
  /// The size along an axis, which may count from the end.
  int64_t size(int axis) const { return data_->shape[normalise_axis("size", axis, data_->shape)]; }
  /// True when the elements lie in row-major order without gaps.
  bool is_contiguous() const { return data_->contiguous; }
  /// Raised by every in-place change of the memory behind this tensor, through whichever view.
  uint32_t version() const { return data_->storage->version.load(std::memory_order_relaxed); }

  // Gradient.

  /// True when backward has something to deliver here: for a leaf that asked for it and for all that was
  /// computed from one while recording.
  bool requires_grad() const { return static_cast<bool>(edge_.holder) || static_cast<bool>(data_->leaf); }
  /// Makes a leaf ask for a gradient, or stop asking. Error for a dtype that is not floating and for a tensor
  /// that was computed from others.
  Tensor& set_requires_grad(bool wanted);
  bool is_leaf() const { return !edge_.holder; }
  /// The gradient that backward has accumulated in this leaf; undefined before, and after zero_grad.
  Tensor grad() const;
  void set_grad(Tensor gradient);
  void zero_grad() { set_grad(Tensor()); }
  /// The same memory, outside the graph.
  Tensor detach() const;

  // Views: no element is copied.

  /// The same elements under another shape; one size may be -1 and is worked out. Error when the strides do
  /// not allow it (reshape copies then).
  Tensor view(const Shape& shape) const;
  Tensor reshape(const Shape& shape) const;
  Tensor transpose(int axis0, int axis1) const;
  Tensor permute(std::initializer_list<int> axes) const;
  /// Elements [start, stop) along an axis; negative bounds count from the end, and bounds are clipped to the
  /// size.
  Tensor slice(int axis, int64_t start, int64_t stop) const;
  /// One position along an axis, which is dropped.
  Tensor select(int axis, int64_t index) const;
  /// Repeats axes of size 1 (and missing leading ones) with stride 0.
  Tensor expand(const Shape& shape) const;
  Tensor unsqueeze(int axis) const;
  Tensor squeeze(int axis) const;

  // Copies.

  /// Itself when contiguous, otherwise a row-major copy.
  Tensor contiguous() const;
  Tensor clone() const;
  /// Itself when the dtype is right, otherwise a converted copy.
  Tensor to(DType dtype) const;

  // Values. T must be the element type of dtype(): float, double, int64_t or bool.

  template <class T>
  T item() const;
  template <class T>
  std::vector<T> to_vector() const;
  /// The elements of a contiguous tensor; valid while the tensor lives.
  template <class T>
  std::span<const T> values() const;
  /// The same, to write; counts as an in-place change, under the rules below.
  template <class T>
  std::span<T> mutable_values();

  // In-place changes. They raise the version of the memory, and are refused (Error) on a tensor that requires
  // a gradient, or from one, while recording: wrap initialisation and updates in NoGrad. A source may overlap
  // its target.

  Tensor& fill(double value);
  Tensor& copy_from(const Tensor& source);
  /// this += scale * other, of the same shape and dtype.
  Tensor& add_scaled(const Tensor& other, double scale);

  // For ops and the graph.

  Tensor(Reference<TensorData> data, Edge edge) : data_(std::move(data)), edge_(std::move(edge)) {}
  /// Where a cotangent for this tensor goes; empty for a constant.
  Edge edge() const { return edge_ ? edge_ : Edge{data_->leaf, 0}; }
  /// Makes this handle the result of a node.
  void attach(Edge edge) { edge_ = std::move(edge); }
  const Reference<TensorData>& data() const { return data_; }
  template <class T>
  T* pointer() const {
    return reinterpret_cast<T*>(data_->data);
  }
  /// True when no other handle or view sees this dense memory, so that writing to it goes unnoticed.
  bool owns_memory_alone() const {
    return data_.is_unique() && data_->storage.is_unique() && data_->contiguous;
  }
  /// Checks that an in-place change named `op` is allowed and raises the version.
  void begin_write(const char* op);

 private:
  Reference<TensorData> data_;
  Edge edge_;
};

/// Uninitialised memory of a shape.
Tensor empty(const Shape& shape, DType dtype);

/// The same in the shape two operands broadcast to; Error names `op`.
Tensor empty_broadcast(const char* op, const Tensor& a, const Tensor& b, DType dtype);

/// A view of the memory of `source`, `offset` elements after its first, outside the graph.
Tensor alias(const Tensor& source, const Shape& shape, const Strides& strides, int64_t offset = 0);

/// Throws unless both have one dtype; the message names op and both dtypes.
void require_same_dtype(const char* op, const Tensor& a, const Tensor& b);
/// Throws unless `x` is f32 or f64.
void require_floating(const char* op, const Tensor& x);

}  // namespace headwise
