#include "headwise/autograd/cases/families.h"

namespace headwise::cases {

std::vector<OpCase> dropout_cases(Rng& rng) {
  return {
      {"dropout",
       "one mask",
       [](const Args& x) {
         Rng one_mask(5);
         return dropout(x[0], 0.4, one_mask);
       },
       {normal({4, 5}, rng)}},
  };
}

}  // namespace headwise::cases
