#include "headwise/layers/layer_norm.h"

#include "headwise/layers/cases/rows.h"

namespace headwise::cases {

std::vector<LayerCase> layer_norm_layer_cases(Rng& rng) {
  const auto narrow = drawn(LayerNorm({.width = 4}), rng);
  const auto coarse = drawn(LayerNorm({.width = 3, .epsilon = 0.5}), rng);
  return {
      {"LayerNorm",
       "batched",
       narrow,
       [narrow](const Args& x) { return narrow->forward(x[0]); },
       {normal({2, 3, 4}, rng)}},
      {"LayerNorm",
       "large epsilon, of a transpose",
       coarse,
       [coarse](const Args& x) { return coarse->forward(x[0].transpose(0, 1)); },
       {normal({3, 2}, rng)}},
  };
}

}  // namespace headwise::cases
