#include "tests/autograd/error_cases.h"

namespace headwise::testing {

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
