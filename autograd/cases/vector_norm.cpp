#include "headwise/autograd/cases/families.h"

namespace headwise::cases {

std::vector<OpCase> vector_norm_cases(Rng& rng) {
  auto with_power = [](double p) { return [p](const Args& x) { return norm(x[0], {-1}, {.p = p}); }; };
  return {
      {"norm", "all", [](const Args& x) { return norm(x[0]); }, {normal({2, 3}, rng)}},
      {"norm",
       "two axes of a transposed input",
       [](const Args& x) {
         return norm(x[0].transpose(0, 2), {0, 1}, true);
       },
       {normal({2, 3, 4}, rng)}},
      {"norm", "p = 1", with_power(1), {distinct({2, 3}, rng)}},
      {"norm", "p = infinity", with_power(INFINITY), {distinct({2, 3}, rng) + 0.03}},
      {"norm", "p = 3", with_power(3), {distinct({2, 3}, rng)}},
      {"norm", "p = 3.5", with_power(3.5), {positive({2, 3}, rng) - 2.0}},
      {"norm",
       "p = 4, a zero among the terms",
       with_power(4),
       {positive({1, 3}, rng) * from({{0.0, 1.0, -2.0}})}},
      {"norm", "p = 0.5", with_power(0.5), {positive({2, 3}, rng) - 2.0}},
  };
}

}  // namespace headwise::cases
