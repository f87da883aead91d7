#include "headwise/autograd/cases/families.h"

namespace headwise::cases {

std::vector<OpCase> select_cases(Rng& rng) {
  const Tensor chosen = mask({1, 0, 1, 0, 0, 1}, {2, 3});
  return {
      {"where",
       "both sides",
       [chosen](const Args& x) { return where(chosen, x[0], x[1]); },
       {normal({2, 3}, rng), normal({3}, rng)}},
      {"masked_fill",
       "some",
       [chosen](const Args& x) { return masked_fill(x[0], chosen, 7); },
       {normal({2, 3}, rng)}},
  };
}

}  // namespace headwise::cases
