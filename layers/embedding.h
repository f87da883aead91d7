// A table of trained vectors.
#pragma once

#include "headwise/autograd/rng.h"
#include "headwise/layers/module.h"

namespace headwise {

struct EmbeddingOptions {
  int64_t count;
  int64_t width;
};

/// Rows of a table by number: indices (...) of i64 in 0 .. count - 1 -> (..., width). Starts from N(0, 1).
class Embedding : public Module {
 public:
  Embedding(const EmbeddingOptions& options, Rng& rng);
  Tensor forward(const Tensor& indices) const;

  Tensor weight;  // (count, width)

 private:
  void members(Members& m) override;
};

}  // namespace headwise
