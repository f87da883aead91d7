#include "headwise/autograd/cases/families.h"

namespace headwise::cases {

std::vector<OpCase> order_cases(Rng& rng) {
  return {
      {"sort", "middle axis", [](const Args& x) { return sort(x[0], 1).values; }, {distinct({2, 4, 3}, rng)}},
      {"sort",
       "a transposed square, descending",
       [](const Args& x) {
         const Tensor y = (x[0] * x[0] * x[0]).transpose(0, 1);
         return sort(y, -1, {.descending = true}).values;
       },
       {distinct({3, 4}, rng)}},
      {"topk", "largest", [](const Args& x) { return topk(x[0], 2, 0).values; }, {distinct({4, 3}, rng)}},
      {"topk",
       "smallest",
       [](const Args& x) { return topk(x[0], 3, -1, {.largest = false}).values; },
       {distinct({2, 5}, rng)}},
  };
}

}  // namespace headwise::cases
