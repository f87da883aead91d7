// The ops that the reference files know, by name: what each makes of its inputs and of the attributes that
// tests/reference/ wrote.
#pragma once

#include <functional>
#include <map>

#include "tests/support/reference_file.h"

namespace headwise::testing {

using ReferenceOp = std::function<Tensor(const std::vector<Tensor>& x, const Json& attributes)>;
using ReferenceOps = std::map<std::string, ReferenceOp>;

ReferenceOps elementwise_reference_ops();
ReferenceOps reduction_reference_ops();
ReferenceOps arrangement_reference_ops();
ReferenceOps product_reference_ops();
ReferenceOps loss_reference_ops();

/// f of axes that are known at run time.
template <class F>
Tensor with_axes(const Json& axes, F&& f) {
  const auto a = axes.get<std::vector<int>>();
  switch (a.size()) {
    case 0:
      return f(Axes{});
    case 1:
      return f(Axes{a[0]});
    case 2:
      return f(Axes{a[0], a[1]});
    case 3:
      return f(Axes{a[0], a[1], a[2]});
    default:
      fail("with_axes: {} axes were given, at most 3 are expected", a.size());
  }
}

inline Shape shape_of(const Json& sizes) {
  const auto values = sizes.get<std::vector<int64_t>>();
  return Shape(std::span(values));
}
/// The i64 tensor of an entry; of bool when converted.
inline Tensor integers_of(const Json& entry) {
  return from_values<int64_t>(entry.at("values").get<std::vector<int64_t>>(), shape_of(entry.at("shape")));
}
inline Tensor mask_of(const Json& entry) { return integers_of(entry).to(boolean); }
/// The f64 tensor of an optional attribute, undefined without it.
inline Tensor optional_tensor(const Json& attributes, const char* name) {
  return attributes.contains(name) ? tensor_of(attributes[name]) : Tensor();
}
template <class T>
std::optional<T> optional_number(const Json& attributes, const char* name) {
  return attributes.contains(name) ? std::optional(attributes[name].get<T>()) : std::nullopt;
}

}  // namespace headwise::testing
