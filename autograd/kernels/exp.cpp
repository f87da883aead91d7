#include "headwise/autograd/kernels/exp.h"

#include "headwise/autograd/kernels/map_blocks.h"

namespace headwise::kernels {

template <class T>
void exp(const T* in, T* out, int64_t n) {
  map_blocks(in, out, n, [](const Vector<T>& x) { return exp_vector<T>(x); });
}

template void exp(const float*, float*, int64_t);
template void exp(const double*, double*, int64_t);

}  // namespace headwise::kernels
