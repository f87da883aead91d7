#include "headwise/study/tasks/case_marked.h"

#include "headwise/autograd/autograd.h"

namespace headwise::study {

Cases draw_cases(int64_t batch, Rng& rng) {
  Cases cases{full({batch, sentence_length}, oblique, i64), empty({batch, 2}, i64)};
  auto of_token = cases.of_token.mutable_values<int64_t>();
  auto positions = cases.positions.mutable_values<int64_t>();
  for (int64_t b = 0; b < batch; ++b) {
    const int64_t subject = rng.below(sentence_length);
    int64_t object = rng.below(sentence_length - 1);
    if (object >= subject) ++object;
    const int64_t sentence = b * sentence_length;
    of_token[static_cast<size_t>(sentence + subject)] = nominative;
    of_token[static_cast<size_t>(sentence + object)] = accusative;
    positions[static_cast<size_t>(2 * b)] = subject;
    positions[static_cast<size_t>(2 * b + 1)] = object;
  }
  return cases;
}

Tensor rows_at(const Tensor& tokens, const Tensor& positions) {
  const int64_t batch = tokens.size(0), relations = positions.size(1),
                width = tokens.numel() / (batch * tokens.size(1));
  const Tensor rows = tokens.reshape({batch, tokens.size(1), width});
  Shape shape{batch, relations};
  for (int axis = 2; axis < tokens.rank(); ++axis) shape.append(tokens.size(axis));
  return gather(rows, 1, positions.unsqueeze(-1).expand({batch, relations, width})).view(shape);
}

}  // namespace headwise::study
