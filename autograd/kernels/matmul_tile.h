// The register tile of the matrix product: C(rows x width) (+)= A(rows x depth) B(depth x width).
//
// Private to matmul.cpp. A tile is as wide as one vector of 16 bytes, of 32, .. up to the target's, or as two
// of those, or, so that one or two rows still fill the pipeline, four or eight; `width class` numbers these
// widths, each twice the one before. Every class runs the same chain per element, so which one computes a
// column shows nowhere in its bits.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "headwise/autograd/kernels/vector.h"

namespace headwise::kernels::detail {

#if defined(__AVX512F__)
inline constexpr int wide_rows = 12;    // accumulators: 12 x 2 of 32 registers
inline constexpr int narrow_rows = 12;  // 12 x 1
#elif defined(__AVX__)
inline constexpr int wide_rows = 6;  // 6 x 2 of 16 registers
inline constexpr int narrow_rows = 12;
#else
inline constexpr int wide_rows = 6;
inline constexpr int narrow_rows = 12;
#endif

inline constexpr int max_tile_rows = narrow_rows;
inline constexpr int wide_class = std::countr_zero(unsigned{vector_bytes}) - 3;  // two vectors
inline constexpr int width_classes = wide_class + 3;                             // .. four, eight

template <class T>
inline constexpr int narrowest = 16 / int{sizeof(T)};
template <class T>
inline constexpr int widest = narrowest<T> << (width_classes - 1);

/// The rows of the tallest tile of a class: about as many accumulators in each of the wide ones.
inline constexpr int class_rows(int width_class) {
  if (width_class < wide_class) return narrow_rows;
  return width_class == wide_class ? wide_rows : 4 >> (width_class - wide_class);
}

/// The widest class for a product of so many rows.
inline constexpr int widest_class(int64_t rows) { return rows > 2 ? wide_class : wide_class + 3 - int(rows); }

/// The narrowest class that covers `columns` columns.
template <class T>
int width_class(int64_t columns) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(columns - 1) / unsigned{narrowest<T>}));
}

template <class T>
int class_width(int width_class) {
  return narrowest<T> << width_class;
}

struct TileStrides {
  int64_t a_row, a_col, b_row, c_row;
};

template <class T>
using TileKernel = void (*)(int64_t depth, const T* a, const T* b, T* c, const TileStrides& strides,
                            bool accumulate);

template <class T, int bytes, int rows, int vectors>
void micro_kernel(int64_t depth, const T* a, const T* b, T* c, const TileStrides& strides, bool accumulate) {
  using V = Vector<T, bytes>;
  constexpr int lanes = bytes / int{sizeof(T)};
  constexpr int groups =
      (rows + 2) / 3;  // rows 3g, 3g+1, 3g+2 share a pointer: two index registers reach them

  const int64_t c_row = strides.c_row;
  V sum[std::size_t{rows}][std::size_t{vectors}];
  if (accumulate) {
    unrolled<rows>([&](auto r) __attribute__((always_inline)) {
      unrolled<vectors>([&](auto v) __attribute__((always_inline)) {
        sum[r][v] = load<V>(c + r * c_row + v * lanes);
      });
    });
  } else {
    unrolled<rows>([&](auto r) __attribute__((always_inline)) {
      unrolled<vectors>([&](auto v) __attribute__((always_inline)) { sum[r][v] = V{}; });
    });
  }

  const char* group[std::size_t{groups}];
  unrolled<groups>([&](auto g) __attribute__((always_inline)) {
    group[g] = reinterpret_cast<const char*>(a + 3 * g * strides.a_row);
  });
  const int64_t size = sizeof(T), a_row = strides.a_row * size, a_col = strides.a_col * size;
  do {
    V b_k[std::size_t{vectors}];
    unrolled<vectors>([&](auto v) __attribute__((always_inline)) { b_k[v] = load<V>(b + v * lanes); });
    unrolled<rows>([&](auto r) __attribute__((always_inline)) {
      const T a_rk = load<T>(group[r / 3] + (r % 3) * a_row);
      unrolled<vectors>([&](auto v) __attribute__((always_inline)) {
        sum[r][v] = multiply_add(broadcast<V>(a_rk), b_k[v], sum[r][v]);
      });
    });
    unrolled<groups>([&](auto g) __attribute__((always_inline)) { group[g] += a_col; });
    b += strides.b_row;
  } while (--depth > 0);

  unrolled<rows>([&](auto r) __attribute__((always_inline)) {
    unrolled<vectors>([&](auto v)
                          __attribute__((always_inline)) { store(c + r * c_row + v * lanes, sum[r][v]); });
  });
}

/// The kernels of one width class, by rows - 1.
template <class T, int width_class>
constexpr auto class_kernels() {
  constexpr bool narrow = width_class < wide_class;
  constexpr int bytes = narrow ? 16 << width_class : vector_bytes;
  constexpr int vectors = narrow ? 1 : 2 << (width_class - wide_class);
  return []<int... r>(std::integer_sequence<int, r...>) {
    return std::array<TileKernel<T>, max_tile_rows>{&micro_kernel<T, bytes, r + 1, vectors>...};
  }
  (std::make_integer_sequence<int, class_rows(width_class)>{});
}

/// tile_kernels<T>[width class][rows - 1]
template <class T>
inline constexpr auto tile_kernels = []<int... w>(std::integer_sequence<int, w...>) {
  return std::array{class_kernels<T, w>()...};
}
(std::make_integer_sequence<int, width_classes>{});

}  // namespace headwise::kernels::detail
