#include "tests/autograd/error_cases.h"

namespace headwise::testing {

std::vector<ErrorCase> select_errors() {
  const Tensor x = ones({2, 3}), y = ones({2}), d = ones({2, 3}, f64), m = ones({2, 3}, boolean);
  return {
      {"where", "mask of numbers", call([=] { return where(x, x, x); }), {"where", "bool", "f32"}},
      {"where", "mixed dtypes", call([=] { return where(m, x, d); }), {"where", "f32", "f64"}},
      {"masked_fill",
       "mask too large",
       call([=] {
         return masked_fill(y, ones({3, 2}, boolean), 0);
       }),
       {"masked_fill", "[3, 2]", "[2]"}},
      {"not_equal", "mixed dtypes", call([=] { return x != d; }), {"not_equal", "f32", "f64"}},
      {"greater", "clashing shapes", call([=] { return x > y; }), {"greater", "[2, 3]", "[2]", "axis -1"}},
      {"greater_equal", "mixed dtypes", call([=] { return d >= x; }), {"greater_equal", "f64", "f32"}},
      {"less", "a fraction for integers", call([=] { return ones({2}, i64) < 0.5; }), {"0.5", "i64"}},
      {"logical_and", "numbers", call([=] { return logical_and(m, x); }), {"logical_and", "bool", "f32"}},
      {"logical_or", "numbers", call([=] { return logical_or(d, m); }), {"logical_or", "bool", "f64"}},
      {"any", "numbers", call([=] { return any(x); }), {"any", "bool", "f32"}},
      {"all", "numbers", call([=] { return all(x); }), {"all", "bool", "f32"}},
  };
}

}  // namespace headwise::testing
