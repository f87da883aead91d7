#include "headwise/autograd/kernels/matmul.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "headwise/autograd/kernels/matmul_pack.h"
#include "headwise/autograd/kernels/matmul_tile.h"
#include "headwise/autograd/kernels/parallel.h"

namespace headwise::kernels {
namespace {

using namespace detail;

constexpr int64_t depth_block = 256;           // a panel of B this deep stays in the first cache
constexpr int64_t row_block = 96;              // so many rows of A this deep, in the second
constexpr int64_t column_block = 2048;         // so many columns of B, in the third
constexpr int64_t in_place_rows = 24;          // fewer rows of C than this do not repay packing B
constexpr int64_t in_place_row_bytes = 512;    // rows of B this close together are read where they are
constexpr int64_t copy_a_cols = 64;            // A is copied for a C at least this wide
constexpr int64_t copy_a_rows = 12;            // and this high
constexpr int64_t copy_a_stride_bytes = 1024;  // when its rows (or columns) lie at least so far apart
constexpr int64_t parallel_work = 1 << 20;     // multiply-adds below which a second thread does not pay

enum class Operand { a, b };

template <Operand operand>
PackBuffer& pack_buffer() {
  static thread_local PackBuffer buffer;
  return buffer;
}

/// One block of a product: small enough along every axis that its operands stay in cache.
template <class T>
struct Block {
  int64_t rows, cols, depth;
  const T *a, *b;
  T* c;
  int64_t a_row, a_col, b_row, b_col, c_row, c_col;  // strides
  int64_t width;                                     // of a panel of B: as wide as C's height allows
  bool accumulate;
  int64_t packed_from = 0;    // columns of B before this are read in place, the others
  const T* panels = nullptr;  // from these
};

/// How many leading columns of B the tiles may read where they are, for this many rows of C.
template <class T>
int64_t columns_in_place(const Block<T>& x, int64_t rows) {
  if (x.b_col != 1) return 0;
  const bool close = std::abs(x.b_row) * int64_t{sizeof(T)} <= in_place_row_bytes;
  if (!close && rows > in_place_rows) return 0;
  const int64_t edge = x.cols & (x.width - 1);
  return edge == 0 || edge == class_width<T>(width_class<T>(edge)) ? x.cols : x.cols - edge;
}

template <class T>
[[gnu::noinline]] const T* pack_panels(int64_t depth, int64_t cols, const T* b, int64_t b_row, int64_t b_col,
                                       int64_t width) {
  T* panels = pack_buffer<Operand::b>().reserve<T>((cols + width - 1) / width * width * depth);
  for (int64_t j = 0; j < cols; j += width) {
    const int64_t panel_cols = std::min(cols - j, width);
    pack_panel(depth, panel_cols, b + j * b_col, b_row, b_col, panels + j * depth,
               class_width<T>(width_class<T>(panel_cols)));
  }
  return panels;
}

/// Whether rows of A lie so far apart, and are read so often, that a dense copy of a block repays itself.
template <class T>
bool copies_rows(const Block<T>& x) {
  const int64_t far = x.a_col == 1 ? x.a_row : x.a_col;
  return x.cols >= copy_a_cols && x.rows >= copy_a_rows && (x.a_col == 1 || x.a_row == 1) &&
         std::abs(far) * int64_t{sizeof(T)} >= copy_a_stride_bytes;
}

/// Copies rows x depth of A, one of whose strides is 1, to rows or columns one behind the other.
template <class T>
[[gnu::noinline]] const T* copy_rows(int64_t rows, int64_t depth, const T* a, int64_t far) {
  constexpr int64_t line = 64 / int64_t{sizeof(T)};
  const int64_t stride = (depth + line - 1) / line * line;
  T* copy = pack_buffer<Operand::a>().reserve<T>(rows * stride);
  for (int64_t i = 0; i < rows; ++i) std::copy_n(a + i * far, depth, copy + i * stride);
  return copy;
}

/// Runs a tile on a dense copy of C: for edges narrower than their tile and for scattered columns.
template <class T>
[[gnu::noinline]] void run_copied(TileKernel<T> kernel, int64_t depth, const T* a, const T* b,
                                  const MatrixView<T>& c, const TileStrides& strides, bool accumulate) {
  alignas(64) T tile[std::max(max_tile_rows * 2 * vector_bytes / int{sizeof(T)}, widest<T>)];
  const int64_t width = class_width<T>(width_class<T>(c.cols));
  if (accumulate)
    for (int64_t i = 0; i < c.rows; ++i)
      for (int64_t j = 0; j < width; ++j)
        tile[i * width + j] = j < c.cols ? c.data[i * c.row_stride + j * c.col_stride] : T{};
  kernel(depth, a, b, tile, {strides.a_row, strides.a_col, strides.b_row, width}, accumulate);
  for (int64_t i = 0; i < c.rows; ++i)
    for (int64_t j = 0; j < c.cols; ++j) c.data[i * c.row_stride + j * c.col_stride] = tile[i * width + j];
}

/// One panel of B against `rows` rows of A, in tiles of nearly equal height.
template <class T>
[[gnu::always_inline]] inline void run_panel(const Block<T>& x, int64_t rows, int64_t cols, const T* a,
                                             const T* b, T* c, const TileStrides& strides) {
  const int width = width_class<T>(cols);
  const bool direct = x.c_col == 1 && cols == class_width<T>(width);
  const TileKernel<T>* kernels = tile_kernels<T>[static_cast<std::size_t>(width)].data();
  const int64_t limit = class_rows(width);
  for (int64_t tiles = rows <= limit ? 1 : (rows + limit - 1) / limit; tiles > 0; --tiles) {
    const int64_t height = tiles == 1 ? rows : (rows + tiles - 1) / tiles;
    const auto kernel = kernels[height - 1];
    if (direct)
      kernel(x.depth, a, b, c, strides, x.accumulate);
    else
      run_copied(kernel, x.depth, a, b, {c, height, cols, strides.c_row, x.c_col}, strides, x.accumulate);
    a += height * strides.a_row;
    c += height * strides.c_row;
    rows -= height;
  }
}

template <class T>
[[gnu::always_inline]] inline void run_block(const Block<T>& x) {
  constexpr int64_t line = 64 / int64_t{sizeof(T)};
  const bool copies = copies_rows(x);
  for (int64_t i = 0; i < x.rows; i += row_block) {
    const int64_t rows = std::min(x.rows - i, row_block);
    const T* a = x.a + i * x.a_row;
    int64_t a_row = x.a_row, a_col = x.a_col;
    if (copies) {
      if (a_col == 1) {
        a = copy_rows(rows, x.depth, a, a_row);
        a_row = (x.depth + line - 1) / line * line;
      } else {
        a = copy_rows(x.depth, rows, a, a_col);
        a_col = (rows + line - 1) / line * line;
      }
    }
    for (int64_t j = 0; j < x.cols; j += x.width) {
      const int64_t cols = std::min(x.cols - j, x.width);
      const bool in_place = j < x.packed_from;
      const T* b = in_place ? x.b + j : x.panels + (j - x.packed_from) * x.depth;
      const int64_t b_row = in_place ? x.b_row : class_width<T>(width_class<T>(cols));
      run_panel(x, rows, cols, a, b, x.c + i * x.c_row + j * x.c_col, {a_row, a_col, b_row, x.c_row});
    }
  }
}

template <class T>
void fill_zero(const MatrixView<T>& c, int64_t offset) {
  for (int64_t i = 0; i < c.rows; ++i)
    for (int64_t j = 0; j < c.cols; ++j) c.data[offset + i * c.row_stride + j * c.col_stride] = T{};
}

/// `count` products that share B; each block of B is packed once for all of them.
template <class T>
void products(int64_t count, const MatrixView<const T>& a, int64_t a_batch_stride,
              const MatrixView<const T>& b, const MatrixView<T>& c, int64_t c_batch_stride, Into into) {
  Block<T> x;
  x.rows = c.rows;
  x.width = class_width<T>(widest_class(c.rows));
  x.a_row = a.row_stride, x.a_col = a.col_stride;
  x.b_row = b.row_stride, x.b_col = b.col_stride;
  x.c_row = c.row_stride, x.c_col = c.col_stride;
  const int skinny = widest_class(c.rows) - wide_class;
  const int64_t max_depth = depth_block >> skinny, max_cols = skinny > 0 ? x.width : column_block;
  for (int64_t k = 0; k < b.rows; k += x.depth) {
    x.depth = std::min(b.rows - k, max_depth);
    x.accumulate = k > 0 || into == Into::accumulate;
    for (int64_t j = 0; j < c.cols; j += x.cols) {
      x.cols = std::min(c.cols - j, max_cols);
      x.a = a.data + k * a.col_stride;
      x.b = b.data + k * b.row_stride + j * b.col_stride;
      x.c = c.data + j * c.col_stride;
      x.packed_from = columns_in_place(x, count * x.rows);
      if (x.packed_from < x.cols)
        x.panels = pack_panels(x.depth, x.cols - x.packed_from, x.b + x.packed_from * x.b_col, x.b_row,
                               x.b_col, x.width);
      for (int64_t n = 0; n < count; ++n) {
        run_block(x);
        x.a += a_batch_stride;
        x.c += c_batch_stride;
      }
    }
  }
  if (b.rows == 0 && into == Into::overwrite)
    for (int64_t n = 0; n < count; ++n) fill_zero(c, n * c_batch_stride);
}

/// A product that is one whole tile, as those of small heads are: no blocks to plan.
template <class T>
bool run_as_tile(const MatrixView<const T>& a, const MatrixView<const T>& b, const MatrixView<T>& c,
                 Into into) {
  if (c.cols > widest<T> || c.col_stride != 1 || b.rows == 0) return false;
  const int width = width_class<T>(c.cols);
  if (c.cols != class_width<T>(width) || c.rows > class_rows(width)) return false;
  const auto kernel = tile_kernels<T>[static_cast<std::size_t>(width)][static_cast<std::size_t>(c.rows - 1)];
  const bool accumulate = into == Into::accumulate;
  if (b.col_stride == 1) {
    kernel(b.rows, a.data, b.data, c.data, {a.row_stride, a.col_stride, b.row_stride, c.row_stride},
           accumulate);
    return true;
  }
  alignas(64) T panel[256];
  if (b.row_stride != 1 || b.rows * c.cols > std::ssize(panel)) return false;
  pack_transposed(b.rows, b.cols, b.data, b.col_stride, panel, class_width<T>(width));
  kernel(b.rows, a.data, panel, c.data, {a.row_stride, a.col_stride, c.cols, c.row_stride}, accumulate);
  return true;
}

/// The tile writes rows of C: a C whose columns are contiguous is computed as C^T = B^T A^T.
template <class T>
bool columns_contiguous(const MatrixView<T>& c) {
  return c.row_stride == 1 && c.rows > 1 && (c.col_stride != 1 || c.cols == 1);
}

template <class T>
bool is_empty(const MatrixView<T>& c) {
  return c.rows == 0 || c.cols == 0;
}

}  // namespace

template <class T>
void matmul_serial(MatrixInput<T> a, MatrixInput<T> b, MatrixView<T> c, Into into) {
  if (is_empty(c)) return;
  if (columns_contiguous(c))
    products<T>(1, b.transposed(), 0, a.transposed(), c.transposed(), 0, into);
  else if (!run_as_tile(a, b, c, into))
    products(1, a, 0, b, c, 0, into);
}

template <class T>
void matmul(MatrixInput<T> a, MatrixInput<T> b, MatrixView<T> c, Into into) {
  if (c.rows * c.cols * a.cols < 2 * parallel_work) return matmul_serial<T>(a, b, c, into);
  if (c.rows < c.cols) return matmul<T>(b.transposed(), a.transposed(), c.transposed(), into);
  const int64_t grain = std::max<int64_t>(parallel_work / (c.cols * a.cols), max_tile_rows);
  parallel_for(c.rows, grain, [&](int64_t begin, int64_t end) {
    const int64_t rows = end - begin;
    matmul_serial<T>(a.block(begin, 0, rows, a.cols), b, c.block(begin, 0, rows, c.cols), into);
  });
}

template <class T>
void batched_matmul(int64_t count, MatrixInput<T> a, int64_t a_batch_stride, MatrixInput<T> b,
                    int64_t b_batch_stride, MatrixView<T> c, int64_t c_batch_stride, Into into) {
  if (count <= 0 || is_empty(c)) return;
  const bool shared = b_batch_stride == 0;
  if (a.rows == 1) a.row_stride = a_batch_stride, c.row_stride = c_batch_stride;
  if (shared && a_batch_stride == a.rows * a.row_stride && c_batch_stride == c.rows * c.row_stride) {
    a.rows *= count;
    c.rows *= count;
    return matmul<T>(a, b, c, into);
  }
  if (columns_contiguous(c))
    return batched_matmul<T>(count, b.transposed(), b_batch_stride, a.transposed(), a_batch_stride,
                             c.transposed(), c_batch_stride, into);
  const auto nth = [](auto view, int64_t n, int64_t batch_stride) {
    view.data += n * batch_stride;
    return view;
  };
  const int64_t work = std::max<int64_t>(c.rows * c.cols * a.cols, 1);
  if (count < num_threads() && work >= 2 * parallel_work) {
    for (int64_t n = 0; n < count; ++n)
      matmul<T>(nth(a, n, a_batch_stride), nth(b, n, b_batch_stride), nth(c, n, c_batch_stride), into);
    return;
  }
  parallel_for(count, (parallel_work + work - 1) / work, [&](int64_t begin, int64_t end) {
    if (shared)
      return products<T>(end - begin, nth(a, begin, a_batch_stride), a_batch_stride, b,
                         nth(c, begin, c_batch_stride), c_batch_stride, into);
    for (int64_t n = begin; n < end; ++n)
      matmul_serial<T>(nth(a, n, a_batch_stride), nth(b, n, b_batch_stride), nth(c, n, c_batch_stride), into);
  });
}

#define HEADWISE_INSTANTIATE(T)                                                                             \
  template void matmul_serial<T>(MatrixInput<T>, MatrixInput<T>, MatrixView<T>, Into);                      \
  template void matmul<T>(MatrixInput<T>, MatrixInput<T>, MatrixView<T>, Into);                             \
  template void batched_matmul<T>(int64_t, MatrixInput<T>, int64_t, MatrixInput<T>, int64_t, MatrixView<T>, \
                                  int64_t, Into);
HEADWISE_INSTANTIATE(float)
HEADWISE_INSTANTIATE(double)
#undef HEADWISE_INSTANTIATE

}  // namespace headwise::kernels
