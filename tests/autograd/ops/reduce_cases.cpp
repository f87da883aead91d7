#include "tests/autograd/op_cases.h"

namespace headwise::testing {

std::vector<OpCase> reduce_cases() {
  return {
      {"sum", "all", [](const Args& x) { return sum(x[0]); }, {normal({2, 3, 4}, 26)}},
      {"sum",
       "outer and inner axes",
       [](const Args& x) {
         return sum(x[0], {0, -1});
       },
       {normal({2, 3, 4}, 27)}},
      {"sum",
       "mean of one axis",
       [](const Args& x) { return mean(x[0], {1}, true); },
       {normal({2, 3, 4}, 28)}},
      {"max", "one axis", [](const Args& x) { return max(x[0], {1}); }, {distinct({2, 3, 4}, 29)}},
      {"max", "all", [](const Args& x) { return max(x[0]); }, {distinct({3, 4}, 30)}},
  };
}

std::vector<ErrorCase> reduce_errors() {
  const Tensor x = ones({2, 3});
  return {
      {"sum", "axis out of range", call([=] { return sum(x, {3}); }), {"sum", "axis 3", "[2, 3]"}},
      {"sum",
       "axis twice",
       call([=] {
         return sum(x, {0, -2});
       }),
       {"sum", "twice"}},
      {"sum", "mean of nothing", call([=] { return mean(ones({0})); }), {"mean", "[0]"}},
      {"max",
       "of nothing",
       call([=] {
         return max(ones({2, 0}), {1});
       }),
       {"max", "[2, 0]"}},
  };
}

}  // namespace headwise::testing
