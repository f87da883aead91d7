#include "headwise/autograd/cases/families.h"

namespace headwise::cases {

std::vector<OpCase> activations_cases(Rng& rng) {
  return {
      {"relu", "off the kink", [](const Args& x) { return relu(x[0]); }, {distinct({3, 4}, rng)}},
      {"gelu", "matrix", [](const Args& x) { return gelu(x[0]); }, {normal({3, 4}, rng)}},
      {"gelu",
       "by tanh, transposed",
       [](const Args& x) { return gelu(x[0].transpose(0, 1), Gelu::tanh); },
       {normal({3, 4}, rng)}},
      {"sigmoid", "matrix", [](const Args& x) { return sigmoid(x[0]); }, {normal({3, 4}, rng)}},
      {"sigmoid",
       "expanded",
       [](const Args& x) {
         return sigmoid(x[0].expand({2, 3}));
       },
       {normal({3}, rng)}},
      {"silu", "scalar", [](const Args& x) { return silu(x[0]); }, {normal({}, rng)}},
      {"silu", "sliced", [](const Args& x) { return silu(x[0].slice(1, 1, 4)); }, {normal({2, 5}, rng)}},
      {"softplus", "matrix", [](const Args& x) { return softplus(x[0] * 4.0); }, {normal({3, 4}, rng)}},
      {"logsigmoid", "matrix", [](const Args& x) { return logsigmoid(x[0]); }, {normal({3, 4}, rng)}},
      {"softplus", "of nothing", [](const Args& x) { return softplus(x[0]); }, {normal({0, 4}, rng)}},
  };
}

}  // namespace headwise::cases
