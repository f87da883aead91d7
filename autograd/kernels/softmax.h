// Softmax and its relatives over contiguous rows.
#pragma once

#include <cstdint>

namespace headwise::kernels {

/// The largest element that is a number; -infinity when there is none.
template <class T>
T largest_of(const T* row, int64_t n);

/// ln sum e^x in two parts: a large `largest` would swallow the digits of ln sum e^(x - largest).
template <class T>
struct LogSum {
  T largest, rest;
  T total() const { return largest + rest; }
};
/// -infinity for a row of -infinity or without terms, +infinity for a row with +infinity; NaN for a row with
/// NaN.
template <class T>
LogSum<T> log_sum(const T* row, int64_t n);

/// In place: row[j] = e^(row[j] - max) / sum. A row of -infinity becomes a row of zeros. Returns false for
/// such a row. A NaN makes the whole row NaN. Reads and writes `n` elements; on the calling thread.
template <class T>
bool softmax_row(T* row, int64_t n);

/// Whether all elements are zero: such a row of cotangents gives zeros, whatever the row of values holds.
template <class T>
bool is_zero(const T* row, int64_t n);

/// y = softmax of each of `rows` rows of n. A row of -infinity gives zeros.
template <class T>
void softmax(const T* x, T* y, int64_t rows, int64_t n);
/// dx = y (dy - sum_j dy_j y_j); dx may be dy.
template <class T>
void softmax_vjp(const T* y, const T* dy, T* dx, int64_t rows, int64_t n);

/// y[r] = ln sum_j e^x[r, j]
template <class T>
void logsumexp(const T* x, T* y, int64_t rows, int64_t n);
/// dx = softmax(x) dy
template <class T>
void logsumexp_vjp(const T* x, const T* dy, T* dx, int64_t rows, int64_t n);

/// y = x - logsumexp(x), row by row.
template <class T>
void log_softmax(const T* x, T* y, int64_t rows, int64_t n);
/// dx = dy - e^y sum_j dy_j
template <class T>
void log_softmax_vjp(const T* y, const T* dy, T* dx, int64_t rows, int64_t n);

}  // namespace headwise::kernels
