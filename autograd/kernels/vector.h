// SIMD vectors by the compilers' vector extension: as wide as the target's registers.
#pragma once

#include <cstdint>
#include <cstring>

namespace headwise::kernels {

#if defined(__AVX512F__)
inline constexpr int vector_bytes = 64;
#elif defined(__AVX__)
inline constexpr int vector_bytes = 32;
#else
inline constexpr int vector_bytes = 16;
#endif

template <class T>
struct VectorOf;
template <>
struct VectorOf<float> {
  typedef float type __attribute__((vector_size(vector_bytes)));
  typedef int32_t bits __attribute__((vector_size(vector_bytes)));
};
template <>
struct VectorOf<double> {
  typedef double type __attribute__((vector_size(vector_bytes)));
  typedef int64_t bits __attribute__((vector_size(vector_bytes)));
};

template <class T>
using Vector = typename VectorOf<T>::type;
/// Integers of the scalar's width, lane for lane.
template <class T>
using VectorBits = typename VectorOf<T>::bits;

template <class T>
inline constexpr int lanes = vector_bytes / static_cast<int>(sizeof(T));

template <class T>
Vector<T> load(const T* from) {
  Vector<T> v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

/// The first `count` lanes from memory, `padding` in the others.
template <class T>
Vector<T> load_part(const T* from, int64_t count, T padding) {
  Vector<T> v = Vector<T>{} + padding;
  std::memcpy(&v, from, static_cast<size_t>(count) * sizeof(T));
  return v;
}

template <class T>
void store(T* to, Vector<T> v) {
  std::memcpy(to, &v, sizeof v);
}

template <class T>
void store_part(T* to, Vector<T> v, int64_t count) {
  std::memcpy(to, &v, static_cast<size_t>(count) * sizeof(T));
}

/// Calls body(vector) for each run of lanes of a row and stores what it returns; the last run is padded, so
/// that a lane's arithmetic never depends on where it lies.
template <class T, class F>
void map_vectors(const T* in, T* out, int64_t n, T padding, F&& body) {
  int64_t i = 0;
  for (; i + lanes<T> <= n; i += lanes<T>) store<T>(out + i, body(load(in + i)));
  if (i < n) store_part<T>(out + i, body(load_part(in + i, n - i, padding)), n - i);
}

}  // namespace headwise::kernels
