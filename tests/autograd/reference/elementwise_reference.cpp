#include "tests/autograd/reference/reference_ops.h"

namespace headwise::testing {
namespace {

using Args = std::vector<Tensor>;

template <Tensor (*f)(const Tensor&)>
Tensor unary(const Args& x, const Json&) {
  return f(x[0]);
}
template <Tensor (*f)(const Tensor&, const Tensor&)>
Tensor binary(const Args& x, const Json&) {
  return f(x[0], x[1]);
}

}  // namespace

ReferenceOps elementwise_reference_ops() {
  return {
      {"neg", [](const Args& x, const Json&) { return -x[0]; }},
      {"exp", unary<exp>},
      {"log", unary<log>},
      {"sqrt", unary<sqrt>},
      {"square", unary<square>},
      {"abs", unary<abs>},
      {"sin", unary<sin>},
      {"cos", unary<cos>},
      {"tanh", unary<tanh>},
      {"erf", unary<erf>},
      {"relu", unary<relu>},
      {"sigmoid", unary<sigmoid>},
      {"silu", unary<silu>},
      {"softplus", unary<softplus>},
      {"logsigmoid", unary<logsigmoid>},
      {"gelu",
       [](const Args& x, const Json& a) {
         const Gelu form = a["form"] == "tanh" ? Gelu::tanh : Gelu::exact;
         return gelu(x[0], form);
       }},
      {"add", [](const Args& x, const Json&) { return x[0] + x[1]; }},
      {"sub", [](const Args& x, const Json&) { return x[0] - x[1]; }},
      {"mul", [](const Args& x, const Json&) { return x[0] * x[1]; }},
      {"div", [](const Args& x, const Json&) { return x[0] / x[1]; }},
      {"maximum", binary<maximum>},
      {"minimum", binary<minimum>},
      {"pow",
       [](const Args& x, const Json& a) {
         if (a.contains("exponent")) return pow(x[0], a["exponent"].get<double>());
         if (a.contains("base")) return pow(a["base"].get<double>(), x[0]);
         return pow(x[0], x[1]);
       }},
      {"clamp",
       [](const Args& x, const Json& a) {
         return clamp(x[0], optional_number<double>(a, "min"), optional_number<double>(a, "max"));
       }},
      {"where", [](const Args& x, const Json& a) { return where(mask_of(a["mask"]), x[0], x[1]); }},
      {"masked_fill",
       [](const Args& x, const Json& a) { return masked_fill(x[0], mask_of(a["mask"]), a["value"]); }},
  };
}

}  // namespace headwise::testing
