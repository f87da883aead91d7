#include "headwise/autograd/cases/families.h"

namespace headwise::cases {

std::vector<OpCase> statistics_cases(Rng& rng) {
  return {
      {"var", "all", [](const Args& x) { return var(x[0]); }, {normal({2, 3}, rng)}},
      {"var",
       "the terms themselves over two axes",
       [](const Args& x) {
         return var(x[0].transpose(0, 1), {0, -1}, {.keepdim = true, .correction = 0});
       },
       {normal({2, 3, 4}, rng)}},
      {"stddev", "one axis", [](const Args& x) { return stddev(x[0], {1}, true); }, {normal({2, 3, 4}, rng)}},
      {"stddev",
       "another correction",
       [](const Args& x) { return stddev(x[0], {0}, {.correction = 2}); },
       {normal({4, 3}, rng)}},
  };
}

}  // namespace headwise::cases
