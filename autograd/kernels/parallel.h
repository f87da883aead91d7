// Cutting work over OpenMP threads. Work is cut by its size alone, and no element's result depends on the
// cut.
#pragma once

#include <algorithm>
#include <cstdint>

#include "headwise/autograd/kernels/function_ref.h"

namespace headwise::kernels {

/// How many threads a kernel called from here may use: 1 inside a parallel region.
int num_threads();
/// Sets how many threads kernels called from this thread may use.
void set_num_threads(int threads);

/// Runs body(begin, end) over [0, n) in `ranges` > 1 ranges of about the same size, each on a thread of its
/// own. An exception thrown by body is thrown again here.
void run_ranges(int64_t n, int64_t ranges, FunctionRef<void(int64_t, int64_t)> body);

/// Runs body(begin, end) over [0, n), cut into at most num_threads() ranges of at least `grain` items.
template <class F>
void parallel_for(int64_t n, int64_t grain, F&& body) {
  if (n <= 0) return;
  const int64_t most = n / std::max<int64_t>(grain, 1);
  const int64_t ranges = most > 1 ? std::min<int64_t>(num_threads(), most) : 1;
  if (ranges <= 1) return body(int64_t{0}, n);
  run_ranges(n, ranges, body);
}

/// Runs body(row) for each of `rows` rows of n elements, cut so that a range holds at least `elements`.
template <class F>
void parallel_rows(int64_t rows, int64_t n, int64_t elements, F&& body) {
  parallel_for(rows, std::max<int64_t>(1, elements / std::max<int64_t>(n, 1)),
               [&](int64_t begin, int64_t end) {
                 for (int64_t row = begin; row < end; ++row) body(row);
               });
}

}  // namespace headwise::kernels
