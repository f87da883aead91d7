#include "headwise/autograd/cases/families.h"

namespace headwise::cases {

std::vector<OpCase> cumulative_cases(Rng& rng) {
  return {
      {"cumsum", "inner axis", [](const Args& x) { return cumsum(x[0], -1); }, {normal({2, 3, 4}, rng)}},
      {"cumsum",
       "reversed along an outer axis",
       [](const Args& x) { return cumsum(x[0], 0, {.reverse = true}); },
       {normal({3, 4}, rng)}},
      {"cumsum",
       "of a transposed square",
       [](const Args& x) {
         const Tensor y = (x[0] * x[0]).transpose(0, 2);
         return cumsum(y, 1);
       },
       {normal({2, 3, 4}, rng)}},
  };
}

}  // namespace headwise::cases
