#include "tests/autograd/op_cases.h"

namespace headwise::testing {

std::vector<OpCase> extremes_cases() {
  return {
      {"amax", "one axis", [](const Args& x) { return amax(x[0], {1}); }, {distinct({2, 3, 4}, 31)}},
      {"amax", "all", [](const Args& x) { return amax(x[0]); }, {distinct({3, 4}, 32)}},
      {"amin",
       "outer and inner axes",
       [](const Args& x) {
         return amin(x[0], {0, -1}, true);
       },
       {distinct({2, 3, 4}, 33)}},
      {"amin",
       "one axis of a transposed input",
       [](const Args& x) { return amin(x[0].transpose(0, 2), {0}); },
       {distinct({2, 3, 4}, 34)}},
      {"gather", "max", [](const Args& x) { return max(x[0], 1).values; }, {distinct({2, 3, 4}, 35)}},
      {"gather",
       "min of a transposed input",
       [](const Args& x) { return min(x[0].transpose(0, 1), -1, true).values; },
       {distinct({3, 4}, 36)}},
  };
}

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
