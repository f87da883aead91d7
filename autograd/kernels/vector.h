// SIMD vectors by the compilers' vector extension: as wide as the target's registers unless said otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
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

/// out[i] = body(in[i]) over a row, vector by vector. The last vector is filled up with `padding` instead of
/// being worked off one by one, so that an element's arithmetic never depends on where it lies.
template <class T, class Body>
void map_vectors(const T* in, T* out, int64_t n, T padding, Body&& body) {
  using V = Vector<T>;
  int64_t i = 0;
  for (; i + lane_count<T> <= n; i += lane_count<T>) store(out + i, body(load<V>(in + i)));
  if (i == n) return;
  const auto rest = static_cast<size_t>(n - i) * sizeof(T);
  V last = broadcast<V>(padding);
  std::memcpy(&last, in + i, rest);
  last = body(last);
  std::memcpy(out + i, &last, rest);
}

}  // namespace headwise::kernels
