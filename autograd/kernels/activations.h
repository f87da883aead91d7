// Activation functions, vector by vector; out and in may be the same. NaN stays NaN.
#pragma once

#include <cstdint>

namespace headwise::kernels {

/// out[i] = 1 / (1 + e^-in[i])
template <class T>
void sigmoid(const T* in, T* out, int64_t n);

/// out[i] = x / (1 + e^-x), x = in[i]; its limit 0 at -infinity.
template <class T>
void silu(const T* in, T* out, int64_t n);

/// out[i] = ln(1 + e^in[i])
template <class T>
void softplus(const T* in, T* out, int64_t n);

/// out[i] = x / (1 + e^-(slope x + cube x^3)), x = in[i]; its limit 0 at -infinity.
template <class T>
void cubic_silu(const T* in, T* out, int64_t n, T slope, T cube);

}  // namespace headwise::kernels
