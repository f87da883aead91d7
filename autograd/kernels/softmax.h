// Softmax and its relatives over contiguous rows.
#pragma once

#include <cstdint>

namespace headwise::kernels {

/// In place: row[j] = e^(row[j] - max) / sum. A row of -infinity becomes a row of zeros. Returns false for
/// such a row. Reads and writes `n` elements; on the calling thread.
template <class T>
bool softmax_row(T* row, int64_t n);

/// y = softmax of each of `rows` rows of n. A row of -infinity gives zeros.
template <class T>
void softmax(const T* x, T* y, int64_t rows, int64_t n);
/// dx = y (dy - sum_j dy_j y_j); dx may be dy.
template <class T>
void softmax_vjp(const T* y, const T* dy, T* dx, int64_t rows, int64_t n);

/// y[r] = ln sum_j e^x[r, j]; -infinity for a row of -infinity or without terms.
template <class T>
void logsumexp(const T* x, T* y, int64_t rows, int64_t n);
/// dx = e^(x - y) dy, 0 in a row where y is -infinity
template <class T>
void logsumexp_vjp(const T* x, const T* y, const T* dy, T* dx, int64_t rows, int64_t n);

/// y = x - logsumexp(x), row by row.
template <class T>
void log_softmax(const T* x, T* y, int64_t rows, int64_t n);
/// dx = dy - e^y sum_j dy_j
template <class T>
void log_softmax_vjp(const T* y, const T* dy, T* dx, int64_t rows, int64_t n);

}  // namespace headwise::kernels
