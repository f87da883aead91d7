#include "tests/autograd/reference/reference_ops.h"

namespace headwise::testing {
namespace {

using Args = std::vector<Tensor>;

template <Tensor (*f)(const Tensor&, Axes, bool)>
Tensor reducing(const Args& x, const Json& a) {
  return with_axes(a["axes"], [&](Axes axes) { return f(x[0], axes, a["keepdim"]); });
}
template <Tensor (*f)(const Tensor&, Axes, const VarianceOptions&)>
Tensor spread(const Args& x, const Json& a) {
  return with_axes(a["axes"], [&](Axes axes) {
    return f(x[0], axes, {.keepdim = a["keepdim"], .correction = a["correction"]});
  });
}
template <Indexed (*f)(const Tensor&, int, bool)>
Tensor indexed(const Args& x, const Json& a) {
  return f(x[0], a["axis"], a["keepdim"]).values;
}

}  // namespace

ReferenceOps reduction_reference_ops() {
  return {
      {"sum", reducing<sum>},
      {"mean", reducing<mean>},
      {"prod", reducing<prod>},
      {"amax", reducing<amax>},
      {"amin", reducing<amin>},
      {"max", indexed<max>},
      {"min", indexed<min>},
      {"sort", [](const Args& x,
                  const Json& a) { return sort(x[0], a["axis"], {.descending = a["descending"]}).values; }},
      {"topk", [](const Args& x,
                  const Json& a) { return topk(x[0], a["k"], a["axis"], {.largest = a["largest"]}).values; }},
      {"var", spread<var>},
      {"stddev", spread<stddev>},
      {"norm",
       [](const Args& x, const Json& a) {
         const double p = a["p"].is_string() ? INFINITY : a["p"].get<double>();
         return with_axes(a["axes"],
                          [&](Axes axes) { return norm(x[0], axes, {.keepdim = a["keepdim"], .p = p}); });
       }},
      {"softmax", [](const Args& x, const Json& a) { return softmax(x[0], a["axis"]); }},
      {"log_softmax", [](const Args& x, const Json& a) { return log_softmax(x[0], a["axis"]); }},
      {"logsumexp", [](const Args& x, const Json& a) { return logsumexp(x[0], a["axis"], a["keepdim"]); }},
      {"cumsum",
       [](const Args& x, const Json& a) { return cumsum(x[0], a["axis"], {.reverse = a["reverse"]}); }},
      {"layer_norm",
       [](const Args& x, const Json& a) {
         return layer_norm(x[0], x.size() > 1 ? x[1] : Tensor(), x.size() > 2 ? x[2] : Tensor(),
                           a["epsilon"]);
       }},
  };
}

}  // namespace headwise::testing
