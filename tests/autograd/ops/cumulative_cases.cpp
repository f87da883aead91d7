#include "tests/autograd/op_cases.h"

namespace headwise::testing {

std::vector<OpCase> cumulative_cases() {
  return {
      {"cumsum", "inner axis", [](const Args& x) { return cumsum(x[0], -1); }, {normal({2, 3, 4}, 46)}},
      {"cumsum",
       "reversed along an outer axis",
       [](const Args& x) { return cumsum(x[0], 0, {.reverse = true}); },
       {normal({3, 4}, 47)}},
      {"cumsum",
       "of a transposed square",
       [](const Args& x) {
         const Tensor y = (x[0] * x[0]).transpose(0, 2);
         return cumsum(y, 1);
       },
       {normal({2, 3, 4}, 48)}},
  };
}

std::vector<ErrorCase> cumulative_errors() {
  return {
      {"cumsum",
       "axis out of range",
       call([] {
         return cumsum(ones({2, 3}), 2);
       }),
       {"cumsum", "axis 2", "[2, 3]"}},
      {"cumsum", "of a scalar", call([] { return cumsum(ones({}), 0); }), {"cumsum", "axis 0", "[]"}},
      {"cumsum", "of bool", call([] { return cumsum(ones({2}, boolean), 0); }), {"cumsum", "bool"}},
  };
}

}  // namespace headwise::testing
