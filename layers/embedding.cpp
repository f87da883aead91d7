#include "headwise/layers/embedding.h"

#include "headwise/autograd/ops/indexing.h"
#include "headwise/layers/init.h"

namespace headwise {

Embedding::Embedding(const EmbeddingOptions& options, Rng& rng) {
  require(options.count > 0 && options.width > 0,
          "Embedding: count and width must be positive, got {} and {}", options.count, options.width);
  weight = parameter(normal({options.count, options.width}, 1, rng));
}

Tensor Embedding::forward(const Tensor& indices) const { return embedding(weight, indices); }

void Embedding::members(Members& m) { m.parameter("weight", weight); }

}  // namespace headwise
