// SIMD vectors by the compilers' vector extension: as wide as the target's registers unless said otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#ifdef __FMA__
#include <immintrin.h>
#endif

namespace headwise::kernels {

#if defined(__AVX512F__)
inline constexpr int vector_bytes = 64;
#elif defined(__AVX__)
inline constexpr int vector_bytes = 32;
#else
inline constexpr int vector_bytes = 16;
#endif

template <class T, int bytes>
struct VectorOf {
  typedef T type __attribute__((vector_size(bytes)));
};
template <class T, int bytes = vector_bytes>
using Vector = typename VectorOf<T, bytes>::type;

template <class T>
inline constexpr int lane_count = vector_bytes / int{sizeof(T)};

template <class V, class T>
[[gnu::always_inline]] inline V load(const T* from) {
  V v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

template <class V, class T>
[[gnu::always_inline]] inline void store(T* to, const V& v) {
  std::memcpy(to, &v, sizeof v);
}

/// body(0), .. body(n-1) with constant arguments, so that arrays indexed by them live in registers.
template <int n, class Body>
[[gnu::always_inline]] inline void unrolled(Body&& body) {
  [&]<int... i>(std::integer_sequence<int, i...>) __attribute__((always_inline)) {
    (body(std::integral_constant<int, i>{}), ...);
  }
  (std::make_integer_sequence<int, n>{});
}

template <class V, class T>
[[gnu::always_inline]] inline V broadcast(T x) {
  return [&]<int... lane>(std::integer_sequence<int, lane...>) __attribute__((always_inline)) {
    return V{(static_cast<void>(lane), x)...};
  }
  (std::make_integer_sequence<int, int{sizeof(V) / sizeof(T)}>{});
}

#ifdef __FMA__
inline __m128 fused(__m128 a, __m128 b, __m128 sum) { return _mm_fmadd_ps(a, b, sum); }
inline __m256 fused(__m256 a, __m256 b, __m256 sum) { return _mm256_fmadd_ps(a, b, sum); }
inline __m128d fused(__m128d a, __m128d b, __m128d sum) { return _mm_fmadd_pd(a, b, sum); }
inline __m256d fused(__m256d a, __m256d b, __m256d sum) { return _mm256_fmadd_pd(a, b, sum); }
#ifdef __AVX512F__
inline __m512 fused(__m512 a, __m512 b, __m512 sum) { return _mm512_fmadd_ps(a, b, sum); }
inline __m512d fused(__m512d a, __m512d b, __m512d sum) { return _mm512_fmadd_pd(a, b, sum); }
#endif
#endif

/// a b + sum in every lane, in one rounding where the target has it. The instruction is named because a
/// contracted `sum + a * b` is not fused everywhere: tuning for a Zen, GCC keeps two roundings in some loops.
template <class V>
[[gnu::always_inline]] inline V multiply_add(const V& a, const V& b, const V& sum) {
#ifdef __FMA__
  return fused(a, b, sum);
#else
  return a * b + sum;
#endif
}

/// The elements i, i + 1, .. of a row, a whole vector of them.
template <class T>
struct WholeVector {
  int64_t i;

  [[gnu::always_inline]] Vector<T> load(const T* row, T = T{}) const {
    return kernels::load<Vector<T>>(row + i);
  }
  [[gnu::always_inline]] void store(T* row, const Vector<T>& v) const { kernels::store(row + i, v); }
};

/// The last elements of a row, fewer than a vector of them. A load fills the other lanes up with `padding`,
/// so that an element's arithmetic never depends on where it lies.
template <class T>
struct PartialVector {
  int64_t i, count;

  [[gnu::always_inline]] Vector<T> load(const T* row, T padding = T{}) const {
    Vector<T> v = broadcast<Vector<T>>(padding);
#ifdef __AVX512F__
    if constexpr (std::is_same_v<T, float>) return _mm512_mask_loadu_ps(v, mask<__mmask16>(), row + i);
    if constexpr (std::is_same_v<T, double>) return _mm512_mask_loadu_pd(v, mask<__mmask8>(), row + i);
#endif
    std::memcpy(&v, row + i, bytes());
    return v;
  }
  [[gnu::always_inline]] void store(T* row, const Vector<T>& v) const {
#ifdef __AVX512F__
    if constexpr (std::is_same_v<T, float>) return _mm512_mask_storeu_ps(row + i, mask<__mmask16>(), v);
    if constexpr (std::is_same_v<T, double>) return _mm512_mask_storeu_pd(row + i, mask<__mmask8>(), v);
#endif
    std::memcpy(row + i, &v, bytes());
  }

 private:
  std::size_t bytes() const { return static_cast<std::size_t>(count) * sizeof(T); }
#ifdef __AVX512F__
  template <class Mask>
  Mask mask() const {
    return static_cast<Mask>((1u << count) - 1);
  }
#endif
};

/// Calls body with every vector of a row of n elements, in order.
template <class T, class Body>
[[gnu::always_inline]] inline void for_each_vector(int64_t n, Body&& body) {
  int64_t i = 0;
  for (; i + lane_count<T> <= n; i += lane_count<T>) body(WholeVector<T>{i});
  if (i < n) body(PartialVector<T>{i, n - i});
}

/// All lanes joined by op as a balanced tree: lane l meets l + n/2, then l + n/4, and so on.
template <class T, int bytes = vector_bytes, class Op>
[[gnu::always_inline]] inline T fold(const Vector<T, bytes>& v, Op&& op) {
  if constexpr (bytes > 16) {
    using Half = Vector<T, bytes / 2>;
    return [&]<int... l>(std::integer_sequence<int, l...>) __attribute__((always_inline)) {
      constexpr int half = sizeof...(l);
      const Half low = __builtin_shufflevector(v, v, l...), high = __builtin_shufflevector(v, v, half + l...);
      return fold<T, bytes / 2>(op(low, high), op);
    }
    (std::make_integer_sequence<int, bytes / 2 / int{sizeof(T)}>{});
  } else if constexpr (sizeof(T) == 8) {
    return op(v[0], v[1]);
  } else {
    return op(op(v[0], v[2]), op(v[1], v[3]));
  }
}

}  // namespace headwise::kernels
