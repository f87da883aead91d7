#include "headwise/autograd/threads.h"

#include "headwise/autograd/error.h"
#include "headwise/autograd/kernels/parallel.h"

namespace headwise {

void set_num_threads(int threads) {
  require(threads >= 1, "set_num_threads: expected at least 1, got {}", threads);
  kernels::set_num_threads(threads);
}

int num_threads() { return kernels::num_threads(); }

}  // namespace headwise
