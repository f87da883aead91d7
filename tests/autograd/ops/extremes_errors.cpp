#include "tests/autograd/error_cases.h"

namespace headwise::testing {

std::vector<ErrorCase> extremes_errors() {
  const Tensor nothing = ones({2, 0});
  return {
      {"amax", "of nothing", call([=] { return amax(nothing, {1}); }), {"amax", "[2, 0]"}},
      {"amin", "of nothing", call([=] { return amin(nothing); }), {"amin", "[2, 0]"}},
      {"amin", "of bool", call([=] { return amin(ones({2}, boolean)); }), {"amin", "bool"}},
      {"max", "of nothing", call([=] { return max(nothing, 1); }), {"max", "[2, 0]"}},
      {"min",
       "axis out of range",
       call([=] {
         return min(ones({2, 3}), 2);
       }),
       {"min", "axis 2", "[2, 3]"}},
      {"argmax", "of a scalar", call([=] { return argmax(ones({}), 0); }), {"argmax", "axis 0", "[]"}},
      {"argmin", "of nothing", call([=] { return argmin(nothing, -1); }), {"argmin", "[2, 0]"}},
  };
}

}  // namespace headwise::testing
