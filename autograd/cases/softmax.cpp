#include "headwise/autograd/cases/families.h"

namespace headwise::cases {

std::vector<OpCase> softmax_cases(Rng& rng) {
  return {
      {"logsumexp", "last axis", [](const Args& x) { return logsumexp(x[0], -1); }, {normal({3, 5}, rng)}},
      {"logsumexp",
       "first axis",
       [](const Args& x) { return logsumexp(x[0], 0, true); },
       {normal({3, 5}, rng)}},
      {"softmax", "last axis", [](const Args& x) { return softmax(x[0], -1); }, {normal({3, 5}, rng)}},
      {"softmax", "middle axis", [](const Args& x) { return softmax(x[0], 1); }, {normal({2, 3, 2}, rng)}},
      {"log_softmax",
       "last axis",
       [](const Args& x) { return log_softmax(x[0], -1); },
       {normal({3, 5}, rng)}},
      {"log_softmax",
       "first axis",
       [](const Args& x) { return log_softmax(x[0], 0); },
       {normal({3, 5}, rng)}},
  };
}

}  // namespace headwise::cases
