// A table of trained vectors.
#pragma once

#include <optional>

#include "headwise/autograd/rng.h"
#include "headwise/layers/module.h"

namespace headwise {

struct EmbeddingOptions {
  int64_t count;
  int64_t width;
  /// A row that starts as zeros and gets no gradient; filling the table afterwards fills it too.
  std::optional<int64_t> padding_row = {};
};

/// Rows of a table by number: indices (...) of i64 in 0 .. count - 1 -> (..., width). Starts from N(0, 1).
/// Observation point: output (..., width).
class Embedding : public Module {
 public:
  Embedding(const EmbeddingOptions& options, Rng& rng);
  Tensor forward(const Tensor& indices) const;

  Tensor weight;  // (count, width)

 private:
  std::optional<int64_t> padding_row_;
  ObservationPoint output_;

  void members(Members& m) override;
};

}  // namespace headwise
