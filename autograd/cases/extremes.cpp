#include "headwise/autograd/cases/families.h"

namespace headwise::cases {

std::vector<OpCase> extremes_cases(Rng& rng) {
  return {
      {"amax", "one axis", [](const Args& x) { return amax(x[0], {1}); }, {distinct({2, 3, 4}, rng)}},
      {"amax", "all", [](const Args& x) { return amax(x[0]); }, {distinct({3, 4}, rng)}},
      {"amin",
       "outer and inner axes",
       [](const Args& x) {
         return amin(x[0], {0, -1}, true);
       },
       {distinct({2, 3, 4}, rng)}},
      {"amin",
       "one axis of a transposed input",
       [](const Args& x) { return amin(x[0].transpose(0, 2), {0}); },
       {distinct({2, 3, 4}, rng)}},
      {"max", "one axis", [](const Args& x) { return max(x[0], 1).values; }, {distinct({2, 3, 4}, rng)}},
      {"min",
       "of a transposed input",
       [](const Args& x) { return min(x[0].transpose(0, 1), -1, true).values; },
       {distinct({3, 4}, rng)}},
  };
}

}  // namespace headwise::cases
