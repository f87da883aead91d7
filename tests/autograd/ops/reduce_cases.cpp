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
      {"sum",
       "compensated, one axis of a transposed input",
       [](const Args& x) { return sum(x[0].transpose(0, 2), {0}, {.keepdim = true, .compensated = true}); },
       {normal({2, 3, 4}, 29)}},
      {"mul", "product of all", [](const Args& x) { return prod(x[0]); }, {normal({2, 3}, 30)}},
      {"mul",
       "product of one axis with none, one, two and only zeros",
       [](const Args& x) { return prod(x[0], {-1}, true); },
       {from({{0.5, -1.5, 2.0}, {0.0, 3.0, -2.0}, {0.0, 0.7, 0.0}, {0.0, 0.0, 0.0}})}},
      {"mul",
       "product of outer and inner axes",
       [](const Args& x) {
         return prod(x[0].transpose(1, 2), {0, -1});
       },
       {normal({2, 5, 3}, 301)}},
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
      {"prod", "of bool", call([=] { return prod(x > 0); }), {"prod", "bool"}},
      {"prod", "axis out of range", call([=] { return prod(x, {-3}); }), {"prod", "axis -3", "[2, 3]"}},
  };
}

}  // namespace headwise::testing
