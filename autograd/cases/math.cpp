#include "headwise/autograd/cases/families.h"

namespace headwise::cases {

std::vector<OpCase> math_cases(Rng& rng) {
  return {
      {"exp", "transposed", [](const Args& x) { return exp(x[0].transpose(0, 1)); }, {normal({2, 5}, rng)}},
      {"log", "positive", [](const Args& x) { return log(x[0]); }, {positive({2, 3}, rng)}},
      {"sqrt", "positive", [](const Args& x) { return sqrt(x[0]); }, {positive({5}, rng)}},
      {"tanh", "matrix", [](const Args& x) { return tanh(x[0]); }, {normal({2, 3}, rng)}},
      {"square",
       "transposed",
       [](const Args& x) { return square(x[0].transpose(0, 1)); },
       {normal({2, 3}, rng)}},
      {"abs", "off the kink", [](const Args& x) { return abs(x[0]); }, {distinct({3, 4}, rng)}},
      {"sin", "matrix", [](const Args& x) { return sin(x[0] * 3.0); }, {normal({3, 4}, rng)}},
      {"cos", "sliced", [](const Args& x) { return cos(x[0].slice(1, 1, 3)); }, {normal({3, 4}, rng)}},
      {"erf", "matrix", [](const Args& x) { return erf(x[0]); }, {normal({3, 4}, rng)}},
  };
}

}  // namespace headwise::cases
