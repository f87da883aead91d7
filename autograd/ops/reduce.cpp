#include "headwise/autograd/ops/reduce.h"

#include "headwise/autograd/kernels/reduce.h"
#include "headwise/autograd/ops/arithmetic.h"
#include "headwise/autograd/ops/loop.h"
#include "headwise/autograd/ops/select.h"
#include "headwise/autograd/record.h"

namespace headwise {
namespace {

// Which axes of a shape are reduced.
struct Reduction {
  std::array<bool, max_rank> reduced{};
  Shape kept_shape;  // reduced axes have size 1
  Shape result;      // as asked for by keepdim
  int64_t terms = 1;

  Reduction(const char* op, const Shape& shape, std::span<const int> axes, bool keepdim) : kept_shape(shape) {
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

  void require_terms(const char* op, const Shape& shape) const {
    require(terms > 0 || kept_shape.numel() == 0,
            "{}: shape {} has no elements to choose from along the axes given", op, shape);
  }
};

// Runs kernel(loop over outputs, first term, number of terms, stride between terms), after bringing the
// reduced axes together where they do not lie evenly in memory.
template <class Kernel>
void run(const Reduction& reduction, const Tensor& x, const Tensor& out, Kernel&& kernel) {
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
  kernel(ops::make_loop<2>({&outputs, &first_terms}), source, reduction.terms, *stride);
}

Tensor reduce_sum(const Tensor& x, std::span<const int> axes, bool keepdim) {
  const Reduction reduction("sum", x.shape(), axes, keepdim);
  Tensor y = empty(reduction.result, x.dtype());
  if (y.numel() > 0) {
    run(reduction, x.detach(), y, [&](const auto& loop, const Tensor& source, int64_t terms, int64_t stride) {
      dispatch_number("sum", x.dtype(), [&]<class T>() {
        kernels::sum(loop, y.pointer<T>(), source.pointer<const T>(), terms, stride);
      });
    });
  }
  return record("sum", y, inputs(x), saves(), [kept = reduction.kept_shape](Vjp& v) {
    v.give(0, v.cotangent().view(kept).expand(v.input_shape(0)));
  });
}

}  // namespace

// y = sum of x           dx = dy, repeated
Tensor sum(const Tensor& x, Axes axes, bool keepdim) {
  return reduce_sum(x, {axes.begin(), axes.size()}, keepdim);
}

Tensor mean(const Tensor& x, Axes axes, bool keepdim) {
  require_floating("mean", x);
  const Reduction reduction("mean", x.shape(), {axes.begin(), axes.size()}, keepdim);
  reduction.require_terms("mean", x.shape());
  return sum(x, axes, keepdim) / static_cast<double>(reduction.terms);
}

// y = max of x           dx = dy / ties where x = y, else 0
Tensor max(const Tensor& x, Axes axes, bool keepdim) {
  const Reduction reduction("max", x.shape(), {axes.begin(), axes.size()}, keepdim);
  reduction.require_terms("max", x.shape());
  Tensor y = empty(reduction.result, x.dtype());
  if (y.numel() > 0) {
    run(reduction, x.detach(), y, [&](const auto& loop, const Tensor& source, int64_t terms, int64_t stride) {
      dispatch_number("max", x.dtype(), [&]<class T>() {
        kernels::max(loop, y.pointer<T>(), source.pointer<const T>(), terms, stride);
      });
    });
  }
  return record("max", y, inputs(x), saves(x, y),
                [kept = reduction.kept_shape](Vjp& v, const Tensor& input, const Tensor& largest) {
                  const Tensor ties = (input.detach() == largest.detach().view(kept)).to(input.dtype());
                  const Tensor share = sum_to(ties, kept);
                  v.give(0, v.cotangent().view(kept) / share * ties);
                });
}

Tensor argmax(const Tensor& x, int axis, bool keepdim) {
  const int axes[] = {axis};
  const Reduction reduction("argmax", x.shape(), axes, keepdim);
  reduction.require_terms("argmax", x.shape());
  Tensor y = empty(reduction.result, i64);
  if (y.numel() > 0) {
    run(reduction, x.detach(), y, [&](const auto& loop, const Tensor& source, int64_t terms, int64_t stride) {
      dispatch_number("argmax", x.dtype(), [&]<class T>() {
        kernels::argmax(loop, y.pointer<int64_t>(), source.pointer<const T>(), terms, stride);
      });
    });
  }
  return y;
}

Tensor sum_to(const Tensor& x, const Shape& shape) {
  if (x.shape() == shape) return x;
  std::array<int, max_rank> axes{};
  size_t count = 0;
  const int lead = x.rank() - shape.rank();
  for (int axis = 0; axis < x.rank(); ++axis)
    if (axis < lead || (shape[axis - lead] == 1 && x.shape()[axis] != 1)) axes[count++] = axis;
  return count ? reduce_sum(x, {axes.data(), count}, true).view(shape) : x.view(shape);
}

}  // namespace headwise
