// Reading and adding at indexed places. Operand 0 of a loop is dense, operand 1 the index, and operand 2
// stands where the dense element would be read at index 0; an index moves it by `step` elements.
#pragma once

#include <algorithm>
#include <limits>

#include "headwise/autograd/kernels/parallel.h"
#include "headwise/autograd/kernels/strided.h"

namespace headwise::kernels {

/// Whether a loop is the commonest: over whole rows, each at one place.
inline bool is_by_rows(const StridedLoop<3>& loop) {
  return loop.rank == 2 && loop.strides[0][1] == 1 && loop.strides[1][1] == 0 && loop.strides[2][1] == 1;
}

/// out[e] = x[e + step index[e]]
template <class T>
void read_at(const StridedLoop<3>& loop, T* out, const int64_t* index, const T* x, int64_t step) {
  if (is_by_rows(loop)) {
    const int64_t n = loop.sizes[1], to = loop.strides[0][0], at = loop.strides[1][0],
                  from = loop.strides[2][0];
    return parallel_rows(loop.sizes[0], n, elementwise_grain, [=](int64_t row) {
      std::copy_n(x + row * from + step * index[row * at], n, out + row * to);
    });
  }
  const size_t inner = loop.inner();
  const int64_t so = loop.strides[0][inner], si = loop.strides[1][inner], sx = loop.strides[2][inner];
  for_each_run(loop, [&](const std::array<int64_t, 3>& at, int64_t n) {
    if (si == 0 && n > 0) {  // a whole run at one place: rows are copied
      auto copy = [](T a) { return a; };
      return map_run<decltype(copy), T, T>(copy, n, out + at[0], so, {x + at[2] + step * index[at[1]], sx});
    }
    for (int64_t i = 0; i < n; ++i) out[at[0] + i * so] = x[at[2] + i * sx + step * index[at[1] + i * si]];
  });
}

/// sum[e + step index[e]] += terms[e], in the order of the loop and on one thread.
template <class T>
void add_at(const StridedLoop<3>& loop, const T* terms, const int64_t* index, T* sum, int64_t step) {
  if (is_by_rows(loop)) {
    for (int64_t row = 0; row < loop.sizes[0]; ++row) {
      const T* const from = terms + row * loop.strides[0][0];
      T* const to = sum + row * loop.strides[2][0] + step * index[row * loop.strides[1][0]];
      for (int64_t i = 0; i < loop.sizes[1]; ++i) to[i] += from[i];
    }
    return;
  }
  const size_t inner = loop.inner();
  const int64_t st = loop.strides[0][inner], si = loop.strides[1][inner], ss = loop.strides[2][inner];
  auto body = [&](const std::array<int64_t, 3>& at, int64_t n) {
    if (si == 0 && n > 0) {
      auto add = [](T a, T b) { return a + b; };
      T* const row = sum + at[2] + step * index[at[1]];
      return map_run<decltype(add), T, T, T>(add, n, row, ss, {row, ss}, {terms + at[0], st});
    }
    for (int64_t i = 0; i < n; ++i)
      sum[at[2] + i * ss + step * index[at[1] + i * si]] += terms[at[0] + i * st];
  };
  for_each_run(loop, body, std::numeric_limits<int64_t>::max());
}

}  // namespace headwise::kernels
