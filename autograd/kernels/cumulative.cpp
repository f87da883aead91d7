#include "headwise/autograd/kernels/cumulative.h"

#include <algorithm>
#include <type_traits>

namespace headwise::kernels {

template <class T>
void cumsum(const StridedLoop<2>& lines, T* out, int64_t out_step, const T* in, int64_t in_step, int64_t n) {
  using Carried = std::conditional_t<std::is_same_v<T, float>, double, T>;
  const size_t inner = lines.inner();
  const int64_t next_out = lines.strides[0][inner], next_in = lines.strides[1][inner];
  constexpr int64_t width = 32;  // neighbouring lines that are walked together
  for_each_run(
      lines,
      [&](const std::array<int64_t, 2>& at, int64_t count) {
        for (int64_t first = 0; first < count; first += width) {
          const int64_t abreast = std::min(width, count - first);
          std::array<Carried, width> sums{};
          for (int64_t i = 0; i < n; ++i) {
            T* const to = out + at[0] + first * next_out + i * out_step;
            const T* const from = in + at[1] + first * next_in + i * in_step;
            for (int64_t l = 0; l < abreast; ++l) {
              Carried& sum = sums[static_cast<size_t>(l)];
              sum += static_cast<Carried>(from[l * next_in]);
              to[l * next_out] = static_cast<T>(sum);
            }
          }
        }
      },
      std::max<int64_t>(1, elementwise_grain / std::max<int64_t>(1, n)));
}

template void cumsum(const StridedLoop<2>&, float*, int64_t, const float*, int64_t, int64_t);
template void cumsum(const StridedLoop<2>&, double*, int64_t, const double*, int64_t, int64_t);
template void cumsum(const StridedLoop<2>&, int64_t*, int64_t, const int64_t*, int64_t, int64_t);

}  // namespace headwise::kernels
