#include "headwise/autograd/kernels/exp.h"

#include "headwise/autograd/kernels/parallel.h"

namespace headwise::kernels {

template <class T>
void exp(const T* in, T* out, int64_t n) {
  constexpr int64_t block = 4096;
  parallel_for((n + block - 1) / block, 2, [&](int64_t begin, int64_t end) {
    const int64_t first = begin * block, last = std::min(n, end * block);
    map_vectors<T>(in + first, out + first, last - first, T{0}, [](Vector<T> x) { return exp_vector<T>(x); });
  });
}

template void exp(const float*, float*, int64_t);
template void exp(const double*, double*, int64_t);

}  // namespace headwise::kernels
