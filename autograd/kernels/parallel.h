// Cutting work over OpenMP threads. Work is cut by its size alone, and no element's result depends on the
// cut.
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <mutex>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace headwise::kernels {

/// How many threads a kernel called from here may use: 1 inside a parallel region.
inline int num_threads() {
#ifdef _OPENMP
  return omp_in_parallel() ? 1 : omp_get_max_threads();
#else
  return 1;
#endif
}

/// Sets how many threads kernels called from this thread may use.
inline void set_num_threads([[maybe_unused]] int threads) {
#ifdef _OPENMP
  omp_set_num_threads(threads);
#endif
}

/// Runs body(begin, end) over [0, n), cut into at most num_threads() ranges of at least `grain` items. An
/// exception thrown by body is thrown again here.
template <class F>
void parallel_for(int64_t n, int64_t grain, F&& body) {
  if (n <= 0) return;
  const int64_t ranges = std::min<int64_t>(num_threads(), n / std::max<int64_t>(grain, 1));
  if (ranges <= 1) return body(int64_t{0}, n);
#ifdef _OPENMP
  std::exception_ptr failure;
  std::mutex mutex;
#pragma omp parallel for num_threads(static_cast <int>(ranges)) schedule(static, 1)
  for (int64_t range = 0; range < ranges; ++range) {
    try {
      body(n * range / ranges, n * (range + 1) / ranges);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
#endif
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
