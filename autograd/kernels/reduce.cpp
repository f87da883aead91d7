#include "headwise/autograd/kernels/reduce.h"

#include <limits>
#include <type_traits>
#include <vector>

#include "headwise/autograd/kernels/parallel.h"
#include "headwise/autograd/kernels/sum.h"

namespace headwise::kernels {
namespace {

// One long sum: subtrees of whole blocks are summed by the threads and then joined in order.
template <class Sum, class T>
Sum sum_in_parallel(const T* x, int64_t n, int64_t stride) {
  constexpr int64_t piece = 64 * sum_block;
  if (n <= piece) return sum_of<T, Sum>(x, n, stride);
  const int64_t pieces = (n + piece - 1) / piece;
  static thread_local std::vector<Sum> sums;
  sums.resize(static_cast<size_t>(pieces));
  Sum* const results = sums.data();
  parallel_for(pieces, 1, [&](int64_t begin, int64_t end) {
    for (int64_t p = begin; p < end; ++p)
      results[p] = sum_of<T, Sum>(x + p * piece * stride, std::min(piece, n - p * piece), stride);
  });
  BlockTree<Sum> tree;
  for (int64_t p = 0; p < pieces; ++p) tree.add(results[p]);
  return tree.total();
}

// Neighbouring outputs whose terms lie side by side: the same partial sums, a vector of outputs at a time.
template <class Sum, class T>
void sum_columns(T* out, const T* in, int64_t columns, int64_t n, int64_t stride) {
  constexpr int64_t width = 32;
  for (int64_t first = 0; first < columns; first += width) {
    const int64_t count = std::min(width, columns - first);
    std::array<BlockTree<Sum>, width> trees;
    for (int64_t start = 0; start < n; start += sum_block) {
      Sum lanes[sum_lanes][width];
      const int64_t stop = std::min(n, start + sum_block), used = partial_sums(stop - start);
      for (int64_t l = 0; l < used; ++l) std::fill(lanes[l], lanes[l] + width, Sum{});
      for (int64_t i = start; i < stop; ++i) {
        Sum* const lane = lanes[(i - start) % sum_lanes];
        const T* const row = in + i * stride + first;
        for (int64_t c = 0; c < count; ++c) lane[c] += row[c];
      }
      for (int64_t half = used / 2; half > 0; half /= 2)
        for (int64_t l = 0; l < half; ++l)
          for (int64_t c = 0; c < width; ++c) lanes[l][c] += lanes[l + half][c];
      for (int64_t c = 0; c < count; ++c) trees[static_cast<size_t>(c)].add(lanes[0][c]);
    }
    for (int64_t c = 0; c < count; ++c)
      out[first + c] = static_cast<T>(trees[static_cast<size_t>(c)].total());
  }
}

// Outputs of n terms each, so many to a thread.
int64_t output_grain(int64_t n) { return std::max<int64_t>(1, elementwise_grain / std::max<int64_t>(1, n)); }

template <class F>
void for_each_output(const StridedLoop<2>& kept, int64_t n, F&& body) {
  const size_t inner = kept.inner();
  for_each_run(
      kept,
      [&](const std::array<int64_t, 2>& at, int64_t count) {
        for (int64_t i = 0; i < count; ++i)
          body(at[0] + i * kept.strides[0][inner], at[1] + i * kept.strides[1][inner]);
      },
      output_grain(n));
}

template <class Sum, class T>
void sum_into(const StridedLoop<2>& kept, T* out, const T* in, int64_t n, int64_t stride) {
  const size_t inner = kept.inner();
  const bool side_by_side = kept.strides[0][inner] == 1 && kept.strides[1][inner] == 1;
  if (kept.rank == 1 && kept.sizes[0] == 1) {
    *out = static_cast<T>(sum_in_parallel<Sum>(in, n, stride));
  } else if (side_by_side && kept.sizes[inner] > 1) {
    for_each_run(
        kept,
        [&](const std::array<int64_t, 2>& at, int64_t count) {
          sum_columns<Sum>(out + at[0], in + at[1], count, n, stride);
        },
        output_grain(n));
  } else {
    for_each_output(
        kept, n, [&](int64_t o, int64_t i) { out[o] = static_cast<T>(sum_of<T, Sum>(in + i, n, stride)); });
  }
}

// The first term that no later one beats; the search ends at a NaN, which beats all others.
template <class T, class Beats>
int64_t position_of_extreme(const T* terms, int64_t n, int64_t stride, Beats beats) {
  int64_t position = 0;
  T best = terms[0];
  for (int64_t k = 1; k < n && best == best; ++k) {
    const T term = terms[k * stride];
    if (!beats(term, best)) continue;
    best = term;
    position = k;
  }
  return position;
}

// body(output, first term, position of the extreme)
template <class T, class F>
void for_each_extreme(Extreme which, const StridedLoop<2>& kept, const T* in, int64_t n, int64_t stride,
                      F&& body) {
  auto search = [&](auto beats) {
    for_each_output(kept, n,
                    [&](int64_t o, int64_t i) { body(o, i, position_of_extreme(in + i, n, stride, beats)); });
  };
  if (which == Extreme::largest) {
    search([](T a, T b) { return !(a <= b); });
  } else {
    search([](T a, T b) { return !(a >= b); });
  }
}

// Squares of f32 fit f64; where those of f64 do not, the terms are scaled by a power of two, which is exact.
template <class T>
T euclidean_norm_of(const T* x, int64_t n, int64_t stride) {
  auto norm = [=](double scale) {
    return std::sqrt(sum_terms<double>(n,
                                       [=](int64_t i) {
                                         const double term = static_cast<double>(x[i * stride]) * scale;
                                         return term * term;
                                       })) /
           scale;
  };
  double y = norm(1);
  if (y < 1e-140) y = norm(0x1p600);
  if (y > std::numeric_limits<double>::max()) y = norm(0x1p-600);
  return static_cast<T>(y);
}

}  // namespace

template <class T>
void sum(const StridedLoop<2>& kept, T* out, const T* in, int64_t n, int64_t stride) {
  sum_into<T>(kept, out, in, n, stride);
}

template <class T>
void compensated_sum(const StridedLoop<2>& kept, T* out, const T* in, int64_t n, int64_t stride) {
  sum_into<std::conditional_t<std::is_integral_v<T>, T, Compensated<T>>>(kept, out, in, n, stride);
}

template <class T>
void extreme(Extreme which, const StridedLoop<2>& kept, T* out, const T* in, int64_t n, int64_t stride) {
  for_each_extreme(which, kept, in, n, stride,
                   [=](int64_t o, int64_t i, int64_t position) { out[o] = in[i + position * stride]; });
}

template <class T>
void extreme_index(Extreme which, const StridedLoop<2>& kept, int64_t* out, const T* in, int64_t n,
                   int64_t stride) {
  for_each_extreme(which, kept, in, n, stride,
                   [=](int64_t o, int64_t, int64_t position) { out[o] = position; });
}

template <class T>
void euclidean_norm(const StridedLoop<2>& kept, T* out, const T* in, int64_t n, int64_t stride) {
  for_each_output(kept, n, [=](int64_t o, int64_t i) { out[o] = euclidean_norm_of(in + i, n, stride); });
}

#define HEADWISE_INSTANTIATE(T)                                                          \
  template void sum(const StridedLoop<2>&, T*, const T*, int64_t, int64_t);              \
  template void compensated_sum(const StridedLoop<2>&, T*, const T*, int64_t, int64_t);  \
  template void extreme(Extreme, const StridedLoop<2>&, T*, const T*, int64_t, int64_t); \
  template void extreme_index(Extreme, const StridedLoop<2>&, int64_t*, const T*, int64_t, int64_t);
HEADWISE_INSTANTIATE(float)
HEADWISE_INSTANTIATE(double)
HEADWISE_INSTANTIATE(int64_t)
#undef HEADWISE_INSTANTIATE

template void euclidean_norm(const StridedLoop<2>&, float*, const float*, int64_t, int64_t);
template void euclidean_norm(const StridedLoop<2>&, double*, const double*, int64_t, int64_t);

}  // namespace headwise::kernels
