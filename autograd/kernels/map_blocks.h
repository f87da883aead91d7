// A function of vectors over dense memory, cut over threads.
#pragma once

#include "headwise/autograd/kernels/parallel.h"
#include "headwise/autograd/kernels/vector.h"

namespace headwise::kernels {

/// out[i] = body(in[i]); in and out may be the same. The last vector of a block is filled up with zeros.
template <class T, class Body>
void map_blocks(const T* in, T* out, int64_t n, Body&& body) {
  constexpr int64_t block = 4096;
  parallel_for((n + block - 1) / block, 2, [&](int64_t begin, int64_t end) {
    const int64_t first = begin * block, last = std::min(n, end * block);
    for_each_vector<T>(last - first,
                       [&](const auto& at) { at.store(out + first, body(at.load(in + first))); });
  });
}

}  // namespace headwise::kernels
