// The matrix product against its definition: one chain of multiply-adds per element, bit for bit.
#include "headwise/autograd/kernels/matmul.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "tests/catch.h"

namespace {

using headwise::kernels::batched_matmul;
using headwise::kernels::Into;
using headwise::kernels::matmul;
using headwise::kernels::matmul_serial;
using headwise::kernels::MatrixView;

enum class Layout { row_major, transposed, sub_block, every_second, repeated_row, repeated_column };
constexpr Layout output_layouts[] = {Layout::row_major, Layout::transposed, Layout::sub_block,
                                     Layout::every_second};
constexpr Layout input_layouts[] = {Layout::row_major,    Layout::transposed,   Layout::sub_block,
                                    Layout::every_second, Layout::repeated_row, Layout::repeated_column};

/// A matrix of uniform numbers in [-1, 1) and the memory that holds it.
template <class T>
struct Matrix {
  std::vector<T> memory;
  MatrixView<T> view;

  Matrix(int64_t rows, int64_t cols, Layout layout, std::mt19937& random)
      : memory(static_cast<std::size_t>(2 * (rows + 3) * (cols + 5) + 8)) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (T& x : memory) x = static_cast<T>(uniform(random));
    T* data = memory.data() + 3;
    switch (layout) {
      case Layout::row_major:
        view = {data, rows, cols, cols, 1};
        break;
      case Layout::transposed:
        view = {data, rows, cols, 1, rows};
        break;
      case Layout::sub_block:
        view = {data, rows, cols, cols + 5, 1};
        break;
      case Layout::every_second:
        view = {data, rows, cols, 2 * cols, 2};
        break;
      case Layout::repeated_row:
        view = {data, rows, cols, 0, 1};
        break;
      case Layout::repeated_column:
        view = {data, rows, cols, 1, 0};
        break;
    }
  }
  Matrix(const Matrix& other) = delete;

  T& operator()(int64_t i, int64_t j) { return view.data[i * view.row_stride + j * view.col_stride]; }
};

template <class T>
T at(const MatrixView<const T>& m, int64_t i, int64_t j) {
  return m.data[i * m.row_stride + j * m.col_stride];
}

template <class T>
T chain(const MatrixView<const T>& a, const MatrixView<const T>& b, int64_t i, int64_t j, T sum) {
  for (int64_t k = 0; k < a.cols; ++k) {
#ifdef __FMA__
    sum = std::fma(at(a, i, k), at(b, k, j), sum);
#else
    const volatile T product = at(a, i, k) * at(b, k, j);
    sum = product + sum;
#endif
  }
  return sum;
}

/// The bits of every element of a row-major copy, for comparisons that tell -0 from 0.
template <class T>
std::vector<T> elements(const MatrixView<const T>& m) {
  std::vector<T> values;
  for (int64_t i = 0; i < m.rows; ++i)
    for (int64_t j = 0; j < m.cols; ++j) values.push_back(at(m, i, j));
  return values;
}

template <class T>
bool same_bits(const std::vector<T>& x, const std::vector<T>& y) {
  return x.size() == y.size() && (x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0);
}

template <class T>
std::vector<T> expected(const MatrixView<const T>& a, const MatrixView<const T>& b,
                        const MatrixView<const T>& c, Into into) {
  std::vector<T> values;
  for (int64_t i = 0; i < c.rows; ++i)
    for (int64_t j = 0; j < c.cols; ++j)
      values.push_back(chain(a, b, i, j, into == Into::accumulate ? at(c, i, j) : T{}));
  return values;
}

/// Whether a product of these shapes and layouts has the expected bits and leaves the memory around c alone.
template <class T>
bool product_is_exact(int64_t m, int64_t k, int64_t n, Layout a_layout, Layout b_layout, Layout c_layout,
                      Into into, std::mt19937& random) {
  Matrix<T> a(m, k, a_layout, random), b(k, n, b_layout, random), c(m, n, c_layout, random);
  const auto before = c.memory;
  const auto values = expected<T>(a.view, b.view, c.view, into);
  matmul_serial<T>(a.view, b.view, c.view, into);
  bool exact = same_bits(elements<T>(c.view), values);
  auto after = c.memory;
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      const auto at_ij = static_cast<std::size_t>(&c(i, j) - c.memory.data());
      after[at_ij] = before[at_ij];
    }
  return exact && same_bits(after, before);
}

}  // namespace

TEMPLATE_TEST_CASE("matmul is one chain per element in every layout", "[matmul]", float, double) {
  std::mt19937 random(1);
  std::uniform_int_distribution<int64_t> size(1, 70);
  for (const Into into : {Into::overwrite, Into::accumulate})
    for (const Layout a : input_layouts)
      for (const Layout b : input_layouts)
        for (const Layout c : output_layouts) {
          const int64_t m = size(random), k = size(random), n = size(random);
          CAPTURE(m, k, n, static_cast<int>(a), static_cast<int>(b), static_cast<int>(c));
          REQUIRE(product_is_exact<TestType>(m, k, n, a, b, c, into, random));
        }
}

TEMPLATE_TEST_CASE("matmul is exact at every small shape and beyond its blocks", "[matmul]", float, double) {
  std::mt19937 random(2);
  const auto rows = Layout::row_major, columns = Layout::transposed;
  for (int64_t m = 1; m <= 14; ++m)
    for (int64_t n = 1; n <= 40; ++n) {
      CAPTURE(m, n);
      REQUIRE(product_is_exact<TestType>(m, 5, n, rows, rows, rows, Into::overwrite, random));
      REQUIRE(product_is_exact<TestType>(m, 5, n, rows, columns, rows, Into::accumulate, random));
    }
  const std::array<int64_t, 3> shapes[] = {{3, 1031, 35}, {13, 523, 20}, {230, 30, 19}, {401, 9, 33},
                                           {7, 21, 2100}, {1, 30, 2200}, {90, 257, 1},  {50, 29, 90}};
  for (const auto& [m, k, n] : shapes)
    for (const Layout a : {rows, columns})
      for (const Layout b : {rows, columns}) {
        CAPTURE(m, k, n, static_cast<int>(a), static_cast<int>(b));
        REQUIRE(product_is_exact<TestType>(m, k, n, a, b, rows, Into::accumulate, random));
        REQUIRE(product_is_exact<TestType>(m, k, n, a, b, columns, Into::overwrite, random));
      }
}

TEMPLATE_TEST_CASE("matmul cut along K accumulates to the same bits", "[matmul]", float, double) {
  std::mt19937 random(3);
  Matrix<TestType> a(37, 600, Layout::row_major, random), b(600, 41, Layout::transposed, random);
  Matrix<TestType> whole(37, 41, Layout::row_major, random), cut(37, 41, Layout::row_major, random);
  matmul_serial<TestType>(a.view, b.view, whole.view);
  int64_t k = 0;
  for (const int64_t depth : {1, 255, 3, 300, 41}) {
    matmul_serial<TestType>(a.view.block(0, k, 37, depth), b.view.block(k, 0, depth, 41), cut.view,
                            k == 0 ? Into::overwrite : Into::accumulate);
    k += depth;
  }
  REQUIRE(k == 600);
  REQUIRE(same_bits(elements<TestType>(whole.view), elements<TestType>(cut.view)));
}

TEMPLATE_TEST_CASE("columns and rows of equal value get equal bits", "[matmul]", float, double) {
  for (const int64_t d : {24, 32, 48, 64, 96, 128}) {
    std::mt19937 random(4);
    Matrix<TestType> a(d, d, Layout::row_major, random), b(d, d, Layout::row_major, random);
    Matrix<TestType> c(d, d, Layout::row_major, random);
    for (int64_t i = 0; i < d; ++i)
      for (int64_t j = 1; j < d; ++j) b(i, j) = b(i, 0), a(j, i) = a(0, i);
    matmul_serial<TestType>(a.view, b.view, c.view);
    CAPTURE(d);
    const auto values = elements<TestType>(c.view);
    REQUIRE(same_bits(values, std::vector<TestType>(values.size(), values[0])));
  }
}

TEMPLATE_TEST_CASE("batched products are the single products", "[matmul]", float, double) {
  std::mt19937 random(5);
  const int64_t count = 9, m = 13, k = 10, n = 12;
  Matrix<TestType> a(count * m, k, Layout::row_major, random), b(count * k, n, Layout::row_major, random);
  Matrix<TestType> c(2 * count * m, n, Layout::row_major, random),
      d(2 * count * m, n, Layout::row_major, random);
  const auto a_0 = a.view.block(0, 0, m, k), b_0 = b.view.block(0, 0, k, n);
  for (const int64_t b_stride : {k * n, int64_t{0}})
    for (const int64_t a_stride : {m * k, int64_t{0}})
      for (const int64_t c_stride : {m * n, 2 * m * n})
        for (const bool column_major : {false, true}) {
          auto c_0 = c.view.block(0, 0, m, n), d_0 = d.view.block(0, 0, m, n);
          if (column_major) c_0 = {c_0.data, m, n, 1, m}, d_0 = {d_0.data, m, n, 1, m};
          d.memory = c.memory;
          batched_matmul<TestType>(count, a_0, a_stride, b_0, b_stride, c_0, c_stride, Into::accumulate);
          for (int64_t i = 0; i < count; ++i) {
            auto a_i = a_0, b_i = b_0, d_i = d_0;
            a_i.data += i * a_stride, b_i.data += i * b_stride, d_i.data += i * c_stride;
            matmul_serial<TestType>(a_i, b_i, d_i, Into::accumulate);
          }
          CAPTURE(a_stride, b_stride, c_stride, column_major);
          REQUIRE(same_bits(c.memory, d.memory));
        }
}

#ifdef _OPENMP
TEMPLATE_TEST_CASE("the number of threads leaves the bits alone", "[matmul]", float, double) {
  std::mt19937 random(6);
  const int64_t m = 203, k = 301, n = 115, count = 3;
  Matrix<TestType> a(count * m, k, Layout::row_major, random), b(n, k, Layout::row_major, random);
  const auto w = b.view.transposed();
  Matrix<TestType> c(count * m, n, Layout::row_major, random);
  const int before = omp_get_max_threads();
  std::vector<TestType> single, batch, wide;
  for (const int threads : {1, 2, 3, 4}) {
    omp_set_num_threads(threads);
    CAPTURE(threads);
    const auto run = [&](std::vector<TestType>& first, auto&& product) {
      product();
      if (threads == 1) first = c.memory;
      REQUIRE(same_bits(first, c.memory));
    };
    run(single, [&] { matmul<TestType>(a.view, w, c.view); });
    run(wide, [&] {
      matmul<TestType>(b.view, a.view.transposed(), {c.view.data, n, count * m, count * m, 1});
    });
    run(batch, [&] {
      batched_matmul<TestType>(count, a.view.block(0, 0, m, k), m * k, w, 0, c.view.block(0, 0, m, n), m * n);
    });
  }
  omp_set_num_threads(before);
}
#endif

TEMPLATE_TEST_CASE("empty products", "[matmul]", float, double) {
  std::vector<TestType> c(6, TestType{7});
  const MatrixView<const TestType> a{nullptr, 2, 0, 0, 1}, b{nullptr, 0, 3, 3, 1};
  const MatrixView<TestType> view{c.data(), 2, 3, 3, 1};
  matmul_serial<TestType>(a, b, view, Into::accumulate);
  REQUIRE(c == std::vector<TestType>(6, TestType{7}));
  matmul<TestType>(a, b, view);
  REQUIRE(same_bits(c, std::vector<TestType>(6, TestType{0})));

  const MatrixView<TestType> no_rows{nullptr, 0, 3, 3, 1}, no_columns{nullptr, 2, 0, 1, 1};
  const MatrixView<const TestType> none{nullptr, 0, 2, 2, 1}, full{c.data(), 2, 3, 3, 1};
  matmul<TestType>(none, full, no_rows);
  matmul_serial<TestType>({c.data(), 2, 3, 3, 1}, {nullptr, 3, 0, 1, 1}, no_columns);
  batched_matmul<TestType>(0, full, 0, full, 0, view, 0);
  REQUIRE(same_bits(c, std::vector<TestType>(6, TestType{0})));
}
