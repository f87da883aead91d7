#include "headwise/autograd/kernels/order.h"

#include <algorithm>
#include <vector>

namespace headwise::kernels {
namespace {

template <class T>
struct Placed {
  T value;
  int64_t position;
};

// Orders the first `count` entries of a line without NaN. No two entries are equal, so that the result does
// not depend on how it is found.
template <class T, class Before>
void order_first(std::vector<Placed<T>>& line, int64_t count, Before before) {
  auto precedes = [before](const Placed<T>& a, const Placed<T>& b) {
    return a.value == b.value ? a.position < b.position : before(a.value, b.value);
  };
  const auto stop = line.begin() + std::min(count, static_cast<int64_t>(line.size()));
  if (stop != line.end()) std::nth_element(line.begin(), stop, line.end(), precedes);
  std::sort(line.begin(), stop, precedes);
}

}  // namespace

template <class T>
void argsort(const StridedLoop<2>& lines, int64_t* out, int64_t out_step, int64_t count, const T* in,
             int64_t in_step, int64_t n, bool descending) {
  // Sorting a line costs about as much as sixteen passes over it.
  const int64_t grain = std::max<int64_t>(1, elementwise_grain / 16 / std::max<int64_t>(1, n));
  const size_t inner = lines.inner();
  auto sort_run = [&](const std::array<int64_t, 2>& at, int64_t run) {
    std::vector<Placed<T>> line, unordered;
    for (int64_t l = 0; l < run; ++l) {
      const T* const from = in + at[1] + l * lines.strides[1][inner];
      int64_t* const to = out + at[0] + l * lines.strides[0][inner];
      line.clear();
      unordered.clear();
      for (int64_t i = 0; i < n; ++i) {
        const T value = from[i * in_step];
        (value == value ? line : unordered).push_back({value, i});
      }
      if (descending) {
        order_first(line, count, [](T a, T b) { return a > b; });
      } else {
        order_first(line, count, [](T a, T b) { return a < b; });
      }
      line.insert(line.end(), unordered.begin(), unordered.end());
      for (int64_t i = 0; i < count; ++i) to[i * out_step] = line[static_cast<size_t>(i)].position;
    }
  };
  for_each_run(lines, sort_run, grain);
}

template void argsort(const StridedLoop<2>&, int64_t*, int64_t, int64_t, const float*, int64_t, int64_t,
                      bool);
template void argsort(const StridedLoop<2>&, int64_t*, int64_t, int64_t, const double*, int64_t, int64_t,
                      bool);
template void argsort(const StridedLoop<2>&, int64_t*, int64_t, int64_t, const int64_t*, int64_t, int64_t,
                      bool);

}  // namespace headwise::kernels
