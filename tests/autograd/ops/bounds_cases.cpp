#include "tests/autograd/op_cases.h"

namespace headwise::testing {

std::vector<OpCase> bounds_cases() {
  // The second operand is shifted, so that no two elements tie.
  const Tensor a = distinct({3, 4}, 120), b = distinct({4}, 121) + 0.03;
  return {
      {"maximum", "broadcast", [](const Args& x) { return maximum(x[0], x[1]); }, {a, b}},
      {"maximum",
       "broadcast both ways, transposed",
       [](const Args& x) { return maximum(x[0].transpose(0, 1), x[1]); },
       {distinct({1, 3}, 122), distinct({2, 1, 4}, 123) + 0.03}},
      {"maximum", "literal", [](const Args& x) { return maximum(0.2, maximum(x[0], -0.3)); }, {a}},
      {"minimum", "broadcast", [](const Args& x) { return minimum(x[0], x[1]); }, {b, a}},
      {"minimum", "literal", [](const Args& x) { return minimum(0.2, minimum(x[0], 0.3)); }, {a}},
      {"minimum", "of nothing", [](const Args& x) { return minimum(x[0], x[1]); }, {normal({0, 4}, 124), b}},
      {"clamp", "both limits", [](const Args& x) { return clamp(x[0], -0.2, 0.3); }, {a}},
      {"clamp", "min alone", [](const Args& x) { return clamp(x[0].transpose(0, 1), 0.1); }, {a}},
      {"clamp", "max alone", [](const Args& x) { return clamp(x[0], {}, 0.1); }, {a}},
  };
}

std::vector<ErrorCase> bounds_errors() {
  const Tensor x = ones({2, 3}), y = ones({2}), d = ones({2, 3}, f64), n = ones({2, 3}, i64),
               m = ones({2, 3}, boolean);
  return {
      {"maximum", "clashing shapes", call([=] { return maximum(x, y); }), {"maximum", "[2, 3]", "[2]"}},
      {"maximum", "bool", call([=] { return maximum(m, m); }), {"maximum", "bool"}},
      {"maximum", "a fraction for integers", call([=] { return maximum(n, 0.5); }), {"0.5", "i64"}},
      {"minimum", "mixed dtypes", call([=] { return minimum(x, d); }), {"minimum", "f32", "f64"}},
      {"clamp", "limits the wrong way round", call([=] { return clamp(x, 2, 1.5); }), {"clamp", "2", "1.5"}},
      {"clamp", "no limits", call([=] { return clamp(x, {}); }), {"clamp", "min", "max"}},
      {"clamp", "NaN for a limit", call([=] { return clamp(x, {}, NAN); }), {"clamp", "NaN"}},
      {"clamp", "bool", call([=] { return clamp(m, 0, 1); }), {"clamp", "bool"}},
      {"clamp", "a fraction for integers", call([=] { return clamp(n, 0.5, 1); }), {"0.5", "i64"}},
  };
}

}  // namespace headwise::testing
