#include "tests/autograd/op_cases.h"

namespace headwise::testing {

std::vector<OpCase> select_cases() {
  const Tensor chosen = mask({1, 0, 1, 0, 0, 1}, {2, 3});
  return {
      {"where",
       "both sides",
       [chosen](const Args& x) { return where(chosen, x[0], x[1]); },
       {normal({2, 3}, 23), normal({3}, 24)}},
      {"masked_fill",
       "some",
       [chosen](const Args& x) { return masked_fill(x[0], chosen, 7); },
       {normal({2, 3}, 25)}},
  };
}

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
  };
}

}  // namespace headwise::testing
