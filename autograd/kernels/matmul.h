// Matrix products whose bits depend on the operands alone.
//
// Every element c_ij is one chain of fused multiply-adds over k = 0 .. K-1 in order,
//
//   acc = fma(a_ik, b_kj, acc),   starting at 0 (overwrite) or at c_ij (accumulate),
//
// a rounded multiply and a rounded add where the target has no fused instruction. So an element's bits do not
// depend on M, N, its row or column, the strides, the batch, or the number of threads, and a product cut
// along K into several accumulating calls gives the bits of the single call.
#pragma once

#include <cstdint>
#include <type_traits>

namespace headwise::kernels {

/// A strided rows x cols matrix in someone else's memory. Strides count elements; an input may have any
/// stride, 0 included; the elements of an output are distinct.
template <class T>
struct MatrixView {
  T* data;
  int64_t rows, cols, row_stride, col_stride;

  MatrixView transposed() const { return {data, cols, rows, col_stride, row_stride}; }

  /// The rows x cols sub-matrix whose first element is (row, col).
  MatrixView block(int64_t row, int64_t col, int64_t block_rows, int64_t block_cols) const {
    return {data + row * row_stride + col * col_stride, block_rows, block_cols, row_stride, col_stride};
  }

  operator MatrixView<const T>() const requires(!std::is_const_v<T>) {
    return {data, rows, cols, row_stride, col_stride};
  }
};

/// What c holds before the first product is added: nothing, or the start of every element's chain.
enum class Into { overwrite, accumulate };

/// The input operand of a product into MatrixView<T>; not deduced, so that mutable views convert.
template <class T>
using MatrixInput = std::type_identity_t<MatrixView<const T>>;

/// C = A B, (M x K)(K x N), on the calling thread. K = 0 overwrites with zeros. The shapes agree and c
/// overlaps neither input: the caller has checked both. T is float or double. Allocates only to grow a
/// per-thread packing buffer.
template <class T>
void matmul_serial(MatrixInput<T> a, MatrixInput<T> b, MatrixView<T> c, Into into = Into::overwrite);

/// The same bits, cut over OpenMP threads by rows or columns when the product is large enough and the caller
/// is not already inside a parallel region.
template <class T>
void matmul(MatrixInput<T> a, MatrixInput<T> b, MatrixView<T> c, Into into = Into::overwrite);

/// `count` independent products; operand i lies i batch strides behind the view given (0: one operand shared
/// by all, inputs only). Cut over threads by product, or by rows when the products are few.
template <class T>
void batched_matmul(int64_t count, MatrixInput<T> a, int64_t a_batch_stride, MatrixInput<T> b,
                    int64_t b_batch_stride, MatrixView<T> c, int64_t c_batch_stride,
                    Into into = Into::overwrite);

}  // namespace headwise::kernels
