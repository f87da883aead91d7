#include "headwise/autograd/cases/families.h"

namespace headwise::cases {

std::vector<OpCase> reduce_cases(Rng& rng) {
  return {
      {"sum", "all", [](const Args& x) { return sum(x[0]); }, {normal({2, 3, 4}, rng)}},
      {"sum",
       "outer and inner axes",
       [](const Args& x) {
         return sum(x[0], {0, -1});
       },
       {normal({2, 3, 4}, rng)}},
      {"mean", "one axis", [](const Args& x) { return mean(x[0], {1}, true); }, {normal({2, 3, 4}, rng)}},
      {"sum",
       "compensated, one axis of a transposed input",
       [](const Args& x) { return sum(x[0].transpose(0, 2), {0}, {.keepdim = true, .compensated = true}); },
       {normal({2, 3, 4}, rng)}},
      {"prod", "all", [](const Args& x) { return prod(x[0]); }, {normal({2, 3}, rng)}},
      {"prod",
       "one axis with none, one, two and only zeros",
       [](const Args& x) { return prod(x[0], {-1}, true); },
       {normal({4, 3}, rng) * from({{1.0, 1.0, 1.0}, {0.0, 1.0, 1.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 0.0}})}},
      {"prod",
       "outer and inner axes",
       [](const Args& x) {
         return prod(x[0].transpose(1, 2), {0, -1});
       },
       {positive({2, 5, 3}, rng)}},
  };
}

}  // namespace headwise::cases
