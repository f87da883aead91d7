// Elementwise kernels over strided operands. Operand 0 is written. An element's result depends on its
// operands alone: no code path below changes the arithmetic.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

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
  if (loop.rank == 1 && loop.sizes[0] / 2 < grain)
    return body(std::array<int64_t, operands>{}, loop.sizes[0]);
  walk_runs<operands>(loop, body, grain);
}

// One run. It stands apart from the walk's closure, which would have to be read again after every store; no
// step of it reads what another step writes, even in place.
template <class F, class Out, class... In>
void map_run(F f, int64_t n, Out* out, int64_t step, const std::pair<const In*, int64_t>... in) {
  if (step == 1 && ((in.second == 1) && ...)) {
#pragma omp simd
    for (int64_t i = 0; i < n; ++i) out[i] = f(in.first[i]...);
  } else {
    for (int64_t i = 0; i < n; ++i) out[i * step] = f(in.first[i * in.second]...);
  }
}

/// out = f(a)
template <class Out, class A, class F>
void map(const StridedLoop<2>& loop, Out* out, const A* a, F f) {
  const size_t inner = loop.inner();
  for_each_run(loop, [&](const std::array<int64_t, 2>& at, int64_t n) {
    map_run<F, Out, A>(f, n, out + at[0], loop.strides[0][inner], {a + at[1], loop.strides[1][inner]});
  });
}

/// out = f(a, b)
template <class Out, class A, class B, class F>
void map(const StridedLoop<3>& loop, Out* out, const A* a, const B* b, F f) {
  const size_t inner = loop.inner();
  const int64_t so = loop.strides[0][inner], sa = loop.strides[1][inner], sb = loop.strides[2][inner];
  for_each_run(loop, [&](const std::array<int64_t, 3>& at, int64_t n) {
    Out* const o = out + at[0];
    const A* const x = a + at[1];
    const B* const y = b + at[2];
    if (so == 1 && sa == 1 && sb == 0) {
      auto with_fixed = [f, fixed = *y](A u) { return f(u, fixed); };
      map_run<decltype(with_fixed), Out, A>(with_fixed, n, o, 1, {x, 1});
    } else if (so == 1 && sa == 0 && sb == 1) {
      auto with_fixed = [f, fixed = *x](B u) { return f(fixed, u); };
      map_run<decltype(with_fixed), Out, B>(with_fixed, n, o, 1, {y, 1});
    } else {
      map_run<F, Out, A, B>(f, n, o, so, {x, sa}, {y, sb});
    }
  });
}

/// out = f(a, b, c)
template <class Out, class A, class B, class C, class F>
void map(const StridedLoop<4>& loop, Out* out, const A* a, const B* b, const C* c, F f) {
  const size_t inner = loop.inner();
  for_each_run(loop, [&](const std::array<int64_t, 4>& at, int64_t n) {
    map_run<F, Out, A, B, C>(f, n, out + at[0], loop.strides[0][inner], {a + at[1], loop.strides[1][inner]},
                             {b + at[2], loop.strides[2][inner]}, {c + at[3], loop.strides[3][inner]});
  });
}

}  // namespace headwise::kernels
