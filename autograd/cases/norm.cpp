#include "headwise/autograd/cases/families.h"

namespace headwise::cases {

std::vector<OpCase> norm_cases(Rng& rng) {
  return {
      {"layer_norm",
       "with gain and offset",
       [](const Args& x) { return layer_norm(x[0], x[1], x[2]); },
       {normal({2, 3, 5}, rng), normal({5}, rng), normal({5}, rng)}},
      {"layer_norm", "plain", [](const Args& x) { return layer_norm(x[0], {}, {}); }, {normal({3, 4}, rng)}},
  };
}

}  // namespace headwise::cases
