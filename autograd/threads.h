// How many threads kernels use.
#pragma once

namespace headwise {

/// The number of threads that kernels called from the calling thread may use. No result depends on it. Error
/// unless it is at least 1. Without OpenMP it is always 1.
void set_num_threads(int threads);
int num_threads();

}  // namespace headwise
