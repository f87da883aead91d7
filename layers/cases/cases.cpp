#include "headwise/layers/cases/rows.h"

namespace headwise::cases {

std::vector<LayerCase> layer_cases(uint64_t seed) {
  const std::pair<const char*, std::vector<LayerCase> (*)(Rng&)> layers[] = {
      {"Dropout", dropout_layer_cases},
      {"Embedding", embedding_layer_cases},
      {"LayerNorm", layer_norm_layer_cases},
      {"Linear", linear_layer_cases},
      {"MultiHeadAttention", multi_head_attention_layer_cases},
  };
  std::vector<LayerCase> rows;
  for (const auto& [name, rows_of] : layers) {
    Rng rng = Rng(seed).derive(name);
    const auto layer = rows_of(rng);
    rows.insert(rows.end(), layer.begin(), layer.end());
  }
  return rows;
}

}  // namespace headwise::cases
