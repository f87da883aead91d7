#include "headwise/layers/dropout.h"

#include "headwise/layers/cases/rows.h"

namespace headwise::cases {

// In training two calls draw two masks; the op's own row has one mask.
std::vector<LayerCase> dropout_layer_cases(Rng& rng) {
  const auto layer = drawn(Dropout(0.5, rng), rng);
  return {{"Dropout",
           "in evaluation",
           layer,
           [layer](const Args& x) { return layer->forward(x[0]) * x[0]; },
           {normal({2, 3}, rng)}}};
}

}  // namespace headwise::cases
