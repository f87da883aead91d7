// Element types, known at run time; an op dispatches on them once and runs a kernel templated on the scalar.
#pragma once

#include <cstddef>
#include <cstdint>

#include "headwise/autograd/error.h"

namespace headwise {

enum class DType : uint8_t { f32, f64, i64, boolean };

inline constexpr DType f32 = DType::f32;
inline constexpr DType f64 = DType::f64;
inline constexpr DType i64 = DType::i64;
inline constexpr DType boolean = DType::boolean;

constexpr size_t size_of(DType dtype) {
  switch (dtype) {
    case f32:
      return 4;
    case f64:
      return 8;
    case i64:
      return 8;
    case boolean:
      return 1;
  }
  return 0;
}

constexpr const char* name_of(DType dtype) {
  switch (dtype) {
    case f32:
      return "f32";
    case f64:
      return "f64";
    case i64:
      return "i64";
    case boolean:
      return "bool";
  }
  return "unknown";
}

constexpr bool is_floating(DType dtype) { return dtype == f32 || dtype == f64; }

template <class T>
inline constexpr DType dtype_of = [] {
  static_assert(sizeof(T) == 0, "not an element type");
  return f32;
}();
template <>
inline constexpr DType dtype_of<float> = f32;
template <>
inline constexpr DType dtype_of<double> = f64;
template <>
inline constexpr DType dtype_of<int64_t> = i64;
template <>
inline constexpr DType dtype_of<bool> = boolean;

/// Calls f.operator()<T>() with T = float or double; Error names `op` for any other dtype.
template <class F>
decltype(auto) dispatch_floating(const char* op, DType dtype, F&& f) {
  if (dtype == f32) return f.template operator()<float>();
  require(dtype == f64, "{}: expected f32 or f64, got {}", op, name_of(dtype));
  return f.template operator()<double>();
}

/// The same with i64 allowed.
template <class F>
decltype(auto) dispatch_number(const char* op, DType dtype, F&& f) {
  if (dtype == i64) return f.template operator()<int64_t>();
  require(dtype != boolean, "{}: expected a number, got bool", op);
  return dispatch_floating(op, dtype, f);
}

/// The same with every dtype allowed.
template <class F>
decltype(auto) dispatch_any(DType dtype, F&& f) {
  if (dtype == boolean) return f.template operator()<bool>();
  return dispatch_number("dispatch", dtype, f);
}

}  // namespace headwise

template <>
struct fmt::formatter<headwise::DType> : fmt::formatter<fmt::string_view> {
  template <class Context>
  auto format(headwise::DType dtype, Context& context) const {
    return fmt::formatter<fmt::string_view>::format(headwise::name_of(dtype), context);
  }
};
