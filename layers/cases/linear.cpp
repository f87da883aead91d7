#include "headwise/layers/linear.h"

#include "headwise/layers/cases/rows.h"

namespace headwise::cases {

std::vector<LayerCase> linear_layer_cases(Rng& rng) {
  const auto biased = drawn(Linear({.in = 3, .out = 4}, rng), rng);
  const auto plain = drawn(Linear({.in = 3, .out = 2, .bias = false}, rng), rng);
  return {
      {"Linear",
       "with bias, batched",
       biased,
       [biased](const Args& x) { return biased->forward(x[0]); },
       {normal({2, 2, 3}, rng)}},
      {"Linear",
       "without bias, one row",
       plain,
       [plain](const Args& x) { return plain->forward(x[0]); },
       {normal({3}, rng)}},
      {"Linear",
       "used twice",
       plain,
       [plain](const Args& x) { return plain->forward(x[0]) * plain->forward(x[0] * x[0]); },
       {normal({2, 3}, rng)}},
  };
}

}  // namespace headwise::cases
