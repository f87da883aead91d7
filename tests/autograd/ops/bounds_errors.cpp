#include "tests/autograd/error_cases.h"

namespace headwise::testing {

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
