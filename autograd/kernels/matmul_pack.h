// Packing for the matrix product: exact copies in the order in which the tiles read them. Private to
// matmul.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>

#include "headwise/autograd/kernels/matmul_tile.h"

namespace headwise::kernels::detail {

/// Grow-only scratch memory on a cache line's boundary. One thread's.
class PackBuffer {
 public:
  template <class T>
  T* reserve(int64_t elements) {
    const auto bytes = (static_cast<std::size_t>(elements) * sizeof(T) + 63) & ~std::size_t{63};
    if (bytes > bytes_) grow(bytes);
    return reinterpret_cast<T*>(memory_.get());
  }

 private:
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };

  void grow(std::size_t bytes) {
    bytes_ = 0;
    memory_.reset(static_cast<std::byte*>(std::aligned_alloc(64, bytes)));
    if (!memory_) throw std::bad_alloc();
    bytes_ = bytes;
  }

  std::unique_ptr<std::byte, Free> memory_;
  std::size_t bytes_ = 0;
};

template <class V, int half, int... i>
[[gnu::always_inline]] inline V zip(const V& x, const V& y, std::integer_sequence<int, i...>) {
  constexpr int lanes = int{sizeof...(i)}, lane16 = 16 / int{sizeof(x[0])};
  return __builtin_shufflevector(
      x, y, (i / lane16 * lane16 + half * lane16 / 2 + i % lane16 / 2 + i % 2 * lanes)...);
}

/// x and y interleaved within each 16 bytes: their lower (half = 0) or upper (half = 1) elements.
template <int half, class V>
[[gnu::always_inline]] inline V zip(const V& x, const V& y) {
  return zip<V, half>(x, y, std::make_integer_sequence<int, int{sizeof(V) / sizeof(x[0])}>{});
}

/// Transposes the square of 16-byte rows in each 16-byte lane of v[0], v[1], ...
template <class V>
[[gnu::always_inline]] inline void transpose_lanes(V (&v)[4]) {
  const V even_low = zip<0>(v[0], v[2]), odd_low = zip<0>(v[1], v[3]);
  const V even_high = zip<1>(v[0], v[2]), odd_high = zip<1>(v[1], v[3]);
  v[0] = zip<0>(even_low, odd_low);
  v[1] = zip<1>(even_low, odd_low);
  v[2] = zip<0>(even_high, odd_high);
  v[3] = zip<1>(even_high, odd_high);
}

template <class V>
[[gnu::always_inline]] inline void transpose_lanes(V (&v)[2]) {
  const V low = zip<0>(v[0], v[1]);
  v[1] = zip<1>(v[0], v[1]);
  v[0] = low;
}

template <class H>
[[gnu::always_inline]] inline auto concatenate(const H& x, const H& y) {
  return [&]<int... i>(std::integer_sequence<int, i...>) __attribute__((always_inline)) {
    return __builtin_shufflevector(x, y, i...);
  }
  (std::make_integer_sequence<int, int{2 * sizeof(H) / sizeof(x[0])}>{});
}

/// panel(k, c) = b[c * col_stride + k] for `lanes16` times 16 bytes of columns; columns past the last repeat
/// it.
template <class T, int lanes16>
void transpose_columns(int64_t depth, int64_t cols, const T* b, int64_t col_stride, T* panel, int64_t width) {
  constexpr int square = narrowest<T>;
  const T* column[std::size_t{square * lanes16}];
  unrolled<square * lanes16>([&](auto c) __attribute__((always_inline)) {
    column[c] = b + std::min<int64_t>(c, cols - 1) * col_stride;
  });
  int64_t k = 0;
  for (; k + square <= depth; k += square) {
    Vector<T, 16 * lanes16> v[std::size_t{square}];
    unrolled<square>([&](auto i) __attribute__((always_inline)) {
      using Half = Vector<T, 16>;
      if constexpr (lanes16 == 1)
        v[i] = load<Half>(column[i] + k);
      else
        v[i] = concatenate(load<Half>(column[i] + k), load<Half>(column[i + square] + k));
    });
    transpose_lanes(v);
    unrolled<square>([&](auto i) __attribute__((always_inline)) { store(panel + (k + i) * width, v[i]); });
  }
  for (; k < depth; ++k)
    unrolled<square * lanes16>([&](auto c)
                                   __attribute__((always_inline)) { panel[k * width + c] = column[c][k]; });
}

/// Packs a panel from columns that are contiguous along k.
template <class T>
void pack_transposed(int64_t depth, int64_t cols, const T* b, int64_t col_stride, T* panel, int width) {
  constexpr int single = narrowest<T>, lanes16 = vector_bytes >= 32 ? 2 : 1;
  if (width == single) return transpose_columns<T, 1>(depth, cols, b, col_stride, panel, width);
  for (int64_t j = 0; j < width; j += single * lanes16) {
    const int64_t first = std::min(j, cols - 1);
    transpose_columns<T, lanes16>(depth, cols - first, b + first * col_stride, col_stride, panel + j, width);
  }
}

template <class T>
void pack_rows(int64_t depth, int64_t cols, const T* b, int64_t row_stride, T* panel, int width) {
  constexpr int wide = narrowest<T> << wide_class;
  for (int64_t k = 0; k < depth; ++k, b += row_stride, panel += width) {
    if (cols == wide)
      std::memcpy(panel, b, wide * sizeof(T));
    else
      std::fill(std::copy_n(b, cols, panel), panel + width, T{});
  }
}

template <class T>
void pack_strided(int64_t depth, int64_t cols, const T* b, int64_t row_stride, int64_t col_stride, T* panel,
                  int width) {
  for (int64_t k = 0; k < depth; ++k, b += row_stride)
    for (int c = 0; c < width; ++c) *panel++ = c < cols ? b[c * col_stride] : T{};
}

/// panel(k, c) = b(k, c), rows of `width` elements. Columns past b's last hold anything: their results are
/// dropped.
template <class T>
void pack_panel(int64_t depth, int64_t cols, const T* b, int64_t row_stride, int64_t col_stride, T* panel,
                int width) {
  if (col_stride == 1)
    pack_rows(depth, cols, b, row_stride, panel, width);
  else if (row_stride == 1)
    pack_transposed(depth, cols, b, col_stride, panel, width);
  else
    pack_strided(depth, cols, b, row_stride, col_stride, panel, width);
}

}  // namespace headwise::kernels::detail
