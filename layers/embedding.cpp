#include "headwise/layers/embedding.h"

#include "headwise/autograd/grad_mode.h"
#include "headwise/autograd/ops/indexing.h"
#include "headwise/layers/init.h"

namespace headwise {

Embedding::Embedding(const EmbeddingOptions& options, Rng& rng) : padding_row_(options.padding_row) {
  require(options.count > 0 && options.width > 0,
          "Embedding: count and width must be positive, got {} and {}", options.count, options.width);
  require(!padding_row_ || (*padding_row_ >= 0 && *padding_row_ < options.count),
          "Embedding: padding_row {} is not one of {} rows", padding_row_.value_or(0), options.count);
  weight = parameter(normal({options.count, options.width}, 1, rng));
  const NoGrad guard;
  if (padding_row_) weight.select(0, *padding_row_).fill(0);
}

Tensor Embedding::forward(const Tensor& indices) const {
  require(indices.defined(), "Embedding: the tensor of indices is undefined");
  require(weight.defined(), "Embedding: the weight is undefined");
  return output_(embedding(weight, indices, padding_row_));
}

void Embedding::members(Members& m) {
  m.parameter("weight", weight);
  m.point("output", output_);
}

}  // namespace headwise
