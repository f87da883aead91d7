#include "headwise/layers/embedding.h"

#include "headwise/layers/cases/rows.h"

namespace headwise::cases {

std::vector<LayerCase> embedding_layer_cases(Rng& rng) {
  const auto plain = drawn(Embedding({.count = 4, .width = 3}, rng), rng);
  const auto padded = drawn(Embedding({.count = 3, .width = 2, .padding_row = 0}, rng), rng);
  return {
      {"Embedding",
       "two axes of indices, one repeated",
       plain,
       [plain](const Args& x) { return plain->forward(x[0]); },
       {integers({2, 0, 2, 3}, {2, 2})}},
      {"Embedding",
       "with a padding row, which is not asked for",
       padded,
       [padded](const Args& x) { return padded->forward(x[0]) * x[1]; },
       {integers({1, 2, 1}, {3}), normal({3, 2}, rng)}},
  };
}

}  // namespace headwise::cases
