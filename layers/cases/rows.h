// The rows of each layer, inputs and parameters drawn from a generator of the layer's own.
#pragma once

#include "headwise/autograd/cases/inputs.h"
#include "headwise/layers/cases/cases.h"

namespace headwise::cases {

std::vector<LayerCase> dropout_layer_cases(Rng& rng);
std::vector<LayerCase> embedding_layer_cases(Rng& rng);
std::vector<LayerCase> layer_norm_layer_cases(Rng& rng);
std::vector<LayerCase> linear_layer_cases(Rng& rng);
std::vector<LayerCase> multi_head_attention_layer_cases(Rng& rng);

/// A layer in f64, in evaluation, every parameter drawn from N(0, 1/4): none is left at a start of 0 or 1.
template <class Layer>
std::shared_ptr<Layer> drawn(Layer layer, Rng& rng) {
  layer.to(f64);
  layer.eval();
  for (auto& [name, value] : layer.state_dict()) value.copy_from(normal(value.shape(), rng) * 0.5);
  return std::make_shared<Layer>(std::move(layer));
}

}  // namespace headwise::cases
