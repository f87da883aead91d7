#include "headwise/autograd/cases/families.h"

namespace headwise::cases {

std::vector<OpCase> arithmetic_cases(Rng& rng) {
  return {
      {"add",
       "same shape",
       [](const Args& x) { return x[0] + x[1]; },
       {normal({2, 3}, rng), normal({2, 3}, rng)}},
      {"add",
       "broadcast both ways",
       [](const Args& x) { return x[0] + x[1]; },
       {normal({2, 1, 3}, rng), normal({4, 1}, rng)}},
      {"add", "literal", [](const Args& x) { return 2.0 + x[0]; }, {normal({3}, rng)}},
      {"sub",
       "broadcast",
       [](const Args& x) { return x[0] - x[1]; },
       {normal({3}, rng), normal({2, 3}, rng)}},
      {"mul",
       "broadcast",
       [](const Args& x) { return x[0] * x[1]; },
       {normal({2, 1}, rng), normal({1, 3}, rng)}},
      {"mul", "with itself", [](const Args& x) { return x[0] * x[0]; }, {normal({4}, rng)}},
      {"div",
       "broadcast",
       [](const Args& x) { return x[0] / x[1]; },
       {normal({2, 3}, rng), positive({3}, rng)}},
      {"neg", "matrix", [](const Args& x) { return -x[0]; }, {normal({2, 3}, rng)}},
      {"zero_safe_mul",
       "finite",
       [](const Args& x) { return zero_safe_mul(x[0], x[1]); },
       {normal({2, 3}, rng), normal({3}, rng)}},
  };
}

}  // namespace headwise::cases
