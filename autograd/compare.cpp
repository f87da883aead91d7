#include "headwise/autograd/compare.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <ostream>

#include "headwise/autograd/ops/loop.h"

namespace headwise {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr size_t most_shown = 9;

std::string mismatch(const Tensor& a, const Tensor& b) {
  if (!a.defined() || !b.defined())
    return fmt::format("{} undefined", a.defined()   ? "the second tensor is"
                                       : b.defined() ? "the first tensor is"
                                                     : "both tensors are");
  if (a.shape() != b.shape()) return fmt::format("the shapes {} and {} differ", a.shape(), b.shape());
  if (a.dtype() != b.dtype()) return fmt::format("the dtypes {} and {} differ", a.dtype(), b.dtype());
  return "";
}

template <class T>
bool is_nan(T value) {
  if constexpr (std::is_floating_point_v<T>) return std::isnan(value);
  return false;
}

// |a - b|; exact for integers that a double cannot tell apart.
template <class T>
double distance(T a, T b) {
  if constexpr (std::is_same_v<T, int64_t>) {
    const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
    return static_cast<double>(a > b ? x - y : y - x);
  } else {
    const double d = std::abs(static_cast<double>(a) - static_cast<double>(b));
    return std::isnan(d) ? infinity : d;
  }
}

// The worst differences met so far, kept as a heap with the mildest on top.
template <class T>
class Worst {
 public:
  struct Found {
    double excess;  // the error as a multiple of what is allowed
    double absolute, relative;
    int64_t position;
    T a, b;
    bool operator<(const Found& milder) const {
      if (excess != milder.excess) return excess > milder.excess;
      if (absolute != milder.absolute) return absolute > milder.absolute;
      return position < milder.position;
    }
  };

  void add(const Found& found) {
    if (heap_.size() == most_shown) {
      if (!(found < heap_.front())) return;
      std::pop_heap(heap_.begin(), heap_.end());
      heap_.pop_back();
    }
    heap_.push_back(found);
    std::push_heap(heap_.begin(), heap_.end());
  }

  std::vector<Difference> take(const Shape& shape) {
    std::sort_heap(heap_.begin(), heap_.end());
    std::vector<Difference> differences;
    for (const Found& found : heap_)
      differences.push_back(
          {index_of(found.position, shape), found.a, found.b, found.absolute, found.relative});
    return differences;
  }

 private:
  std::vector<Found> heap_;
};

template <class T>
void compare(const Tensor& a, const Tensor& b, Comparison& result) {
  const AllcloseOptions& options = result.options;
  Worst<T> worst;
  int64_t position = 0;
  auto pair = [&](T x, T y) {
    if (x == y || (options.equal_nan && is_nan(x) && is_nan(y))) return;
    const double absolute = distance(x, y), size = std::max(std::abs(static_cast<double>(y)), options.floor);
    const double relative = absolute == infinity ? infinity : absolute / size;
    result.worst_absolute = std::max(result.worst_absolute, absolute);
    result.worst_relative = std::max(result.worst_relative, relative);
    const double allowed = absolute == infinity ? 0 : options.atol + options.rtol * size;
    if (absolute <= allowed) return;
    ++result.differing;
    worst.add({absolute / allowed, absolute, relative, position, x, y});
  };
  const auto loop = ops::make_loop<2>({&a, &b});
  const int64_t step_a = loop.strides[0][loop.inner()], step_b = loop.strides[1][loop.inner()];
  kernels::for_each_run(
      loop,
      [&](const std::array<int64_t, 2>& at, int64_t count) {
        const T *x = a.pointer<const T>() + at[0], *y = b.pointer<const T>() + at[1];
        for (int64_t i = 0; i < count; ++i, ++position) pair(x[i * step_a], y[i * step_b]);
      },
      std::max<int64_t>(a.numel(), 1));
  result.worst = worst.take(a.shape());
}

}  // namespace

Comparison allclose(const Tensor& a, const Tensor& b, const AllcloseOptions& options) {
  const std::pair<const char*, double> limits[] = {
      {"rtol", options.rtol}, {"atol", options.atol}, {"floor", options.floor}};
  for (const auto& [name, value] : limits)
    require(value >= 0 && value < infinity, "allclose: {} must be finite and at least 0, got {}", name,
            value);
  Comparison result;
  result.options = options;
  result.mismatch = mismatch(a, b);
  if (!result.mismatch.empty()) {
    result.worst_absolute = result.worst_relative = infinity;
    return result;
  }
  result.elements = a.numel();
  dispatch_any(a.dtype(), [&]<class T>() { compare<T>(a, b, result); });
  result.close = result.differing == 0;
  return result;
}

bool same_bits(const Tensor& a, const Tensor& b) {
  if (a.defined() != b.defined()) return false;
  if (!a.defined()) return true;
  if (a.shape() != b.shape() || a.dtype() != b.dtype()) return false;
  const Tensor x = a.detach().contiguous(), y = b.detach().contiguous();
  const size_t bytes = static_cast<size_t>(x.numel()) * size_of(x.dtype());
  return bytes == 0 || std::memcmp(x.data()->data, y.data()->data, bytes) == 0;
}

std::string to_string(const Comparison& comparison) {
  if (!comparison.mismatch.empty()) return fmt::format("not close: {}", comparison.mismatch);
  const AllcloseOptions& options = comparison.options;
  std::string text =
      fmt::format("{} of {} elements differ (rtol {}, atol {}); worst error {:.3g}, relative {:.3g}",
                  comparison.differing, comparison.elements, options.rtol, options.atol,
                  comparison.worst_absolute, comparison.worst_relative);
  const auto words = [](const Difference::Value& value) {
    return std::visit([](auto v) { return fmt::format("{}", v); }, value);
  };
  for (const Difference& difference : comparison.worst)
    text += fmt::format("\n  {}: {} and {}, error {:.3g}, relative {:.3g}", difference.index,
                        words(difference.a), words(difference.b), difference.absolute, difference.relative);
  return text;
}

std::ostream& operator<<(std::ostream& out, const Comparison& comparison) {
  return out << to_string(comparison);
}

}  // namespace headwise
