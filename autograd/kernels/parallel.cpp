#include "headwise/autograd/kernels/parallel.h"

#include <exception>
#include <mutex>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace headwise::kernels {

#ifdef _OPENMP

int num_threads() { return omp_in_parallel() ? 1 : omp_get_max_threads(); }

void set_num_threads(int threads) { omp_set_num_threads(threads); }

void run_ranges(int64_t n, int64_t ranges, FunctionRef<void(int64_t, int64_t)> body) {
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
}

#else

int num_threads() { return 1; }

void set_num_threads(int) {}

void run_ranges(int64_t n, int64_t, FunctionRef<void(int64_t, int64_t)> body) { body(0, n); }

#endif

}  // namespace headwise::kernels
