// Elementwise kernels over strided operands. Operand 0 is written. An element's result depends on its
// operands alone: no code path below changes the arithmetic.
#pragma once

#include <array>
#include <cstdint>

#include "headwise/autograd/kernels/function_ref.h"

namespace headwise::kernels {

/// Nested loops over `rank` >= 1 axes, outermost first, with a stride per operand and axis, counted in
/// elements. Starts as one step over one element; entries from `rank` on are not set.
template <size_t operands>
struct StridedLoop {
  int rank = 1;
  std::array<int64_t, 8> sizes;
  std::array<std::array<int64_t, 8>, operands> strides;

  StridedLoop() {
    sizes[0] = 1;
    for (auto& stride : strides) stride[0] = 0;
  }
  /// The innermost axis.
  size_t inner() const { return static_cast<size_t>(rank - 1); }
};

template <size_t operands>
using RunBody = FunctionRef<void(const std::array<int64_t, operands>& offsets, int64_t count)>;

/// Below this many elements a second thread costs more than it saves.
inline constexpr int64_t elementwise_grain = 131072;

/// Calls body(offsets, count) for each run along the innermost axis, cut over threads in pieces of at least
/// `grain` elements; on one thread the runs come in order.
template <size_t operands>
void walk_runs(const StridedLoop<operands>& loop, RunBody<operands> body, int64_t grain = elementwise_grain);

/// The same, without a detour for the commonest loop: one short run.
template <size_t operands, class F>
void for_each_run(const StridedLoop<operands>& loop, F&& body, int64_t grain = elementwise_grain) {
  if (loop.rank == 1 && loop.sizes[0] < 2 * elementwise_grain)
    return body(std::array<int64_t, operands>{}, loop.sizes[0]);
  walk_runs<operands>(loop, body, grain);
}

/// out = f(a)
template <class Out, class A, class F>
void map(const StridedLoop<2>& loop, Out* out, const A* a, F f) {
  const size_t inner = loop.inner();
  const int64_t so = loop.strides[0][inner], sa = loop.strides[1][inner];
  for_each_run(loop, [&](const std::array<int64_t, 2>& at, int64_t n) {
    Out* o = out + at[0];
    const A* x = a + at[1];
    if (so == 1 && sa == 1) {
      for (int64_t i = 0; i < n; ++i) o[i] = f(x[i]);
    } else {
      for (int64_t i = 0; i < n; ++i) o[i * so] = f(x[i * sa]);
    }
  });
}

/// out = f(a, b)
template <class Out, class A, class B, class F>
void map(const StridedLoop<3>& loop, Out* out, const A* a, const B* b, F f) {
  const size_t inner = loop.inner();
  const int64_t so = loop.strides[0][inner], sa = loop.strides[1][inner], sb = loop.strides[2][inner];
  for_each_run(loop, [&](const std::array<int64_t, 3>& at, int64_t n) {
    Out* o = out + at[0];
    const A* x = a + at[1];
    const B* y = b + at[2];
    if (so == 1 && sa == 1 && sb == 1) {
      for (int64_t i = 0; i < n; ++i) o[i] = f(x[i], y[i]);
    } else if (so == 1 && sa == 1 && sb == 0) {
      const B fixed = *y;
      for (int64_t i = 0; i < n; ++i) o[i] = f(x[i], fixed);
    } else if (so == 1 && sa == 0 && sb == 1) {
      const A fixed = *x;
      for (int64_t i = 0; i < n; ++i) o[i] = f(fixed, y[i]);
    } else {
      for (int64_t i = 0; i < n; ++i) o[i * so] = f(x[i * sa], y[i * sb]);
    }
  });
}

/// out = f(a, b, c)
template <class Out, class A, class B, class C, class F>
void map(const StridedLoop<4>& loop, Out* out, const A* a, const B* b, const C* c, F f) {
  const size_t inner = loop.inner();
  const int64_t so = loop.strides[0][inner], sa = loop.strides[1][inner], sb = loop.strides[2][inner],
                sc = loop.strides[3][inner];
  for_each_run(loop, [&](const std::array<int64_t, 4>& at, int64_t n) {
    for (int64_t i = 0; i < n; ++i)
      out[at[0] + i * so] = f(a[at[1] + i * sa], b[at[2] + i * sb], c[at[3] + i * sc]);
  });
}

}  // namespace headwise::kernels
