// Layer normalisation over contiguous rows.
#pragma once

#include <cstdint>

namespace headwise::kernels {

/// y = (x - mean) * inverse_deviation * weight + bias over each of `rows` rows of n; weight and bias may be
/// null. Writes mean and 1 / sqrt(variance + epsilon) of each row for the vjp.
template <class T>
void layer_norm(const T* x, const T* weight, const T* bias, T epsilon, T* y, T* mean, T* inverse_deviation,
                int64_t rows, int64_t n);

/// dx of each row, from what the forward pass kept; weight may be null.
template <class T>
void layer_norm_vjp(const T* x, const T* weight, const T* mean, const T* inverse_deviation, const T* dy,
                    T* dx, int64_t rows, int64_t n);

}  // namespace headwise::kernels
