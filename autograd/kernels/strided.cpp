#include "headwise/autograd/kernels/strided.h"

#include "headwise/autograd/kernels/parallel.h"

namespace headwise::kernels {

template <size_t operands>
void walk_runs(const StridedLoop<operands>& loop, RunBody<operands> body, int64_t grain) {
  using Offsets = std::array<int64_t, operands>;
  if (loop.rank == 1) {
    parallel_for(loop.sizes[0], grain, [&](int64_t begin, int64_t end) {
      Offsets offsets;
      for (size_t k = 0; k < operands; ++k) offsets[k] = begin * loop.strides[k][0];
      body(offsets, end - begin);
    });
    return;
  }
  const int inner = loop.rank - 1;
  const int64_t count = loop.sizes[static_cast<size_t>(inner)];
  int64_t runs = 1;
  for (int axis = 0; axis < inner; ++axis) runs *= loop.sizes[static_cast<size_t>(axis)];
  if (count == 0) return;
  parallel_for(runs, std::max<int64_t>(1, grain / count), [&](int64_t begin, int64_t end) {
    std::array<int64_t, 8> index{};
    Offsets offsets{};
    int64_t rest = begin;
    for (int axis = inner - 1; axis >= 0; --axis) {
      const auto a = static_cast<size_t>(axis);
      index[a] = rest % loop.sizes[a];
      rest /= loop.sizes[a];
      for (size_t k = 0; k < operands; ++k) offsets[k] += index[a] * loop.strides[k][a];
    }
    for (int64_t run = begin; run < end; ++run) {
      body(offsets, count);
      for (int axis = inner - 1; axis >= 0; --axis) {
        const auto a = static_cast<size_t>(axis);
        const bool carry = ++index[a] == loop.sizes[a];
        const int64_t steps = carry ? 1 - loop.sizes[a] : 1;
        for (size_t k = 0; k < operands; ++k) offsets[k] += steps * loop.strides[k][a];
        if (!carry) break;
        index[a] = 0;
      }
    }
  });
}

template void walk_runs(const StridedLoop<2>&, RunBody<2>, int64_t);
template void walk_runs(const StridedLoop<3>&, RunBody<3>, int64_t);
template void walk_runs(const StridedLoop<4>&, RunBody<4>, int64_t);

}  // namespace headwise::kernels
