// The model of the two-relations tasks: a verb that looks once at its case-marked tokens.
//
//   token = contents + cases[case of the token]                (B, T, d_model), built by the task
//   predictions = read_out (verb + attention(verb, tokens))    (B, outputs)
//
// The verb is one learnt query.
#pragma once

#include "headwise/study/task.h"

namespace headwise::study {

struct CaseMarkedOptions {
  int64_t d_model = 0, heads = 0;
  /// The matrix that turns contents into vectors, and the deviation of its elements at the start.
  Shape embedding;
  double embedding_deviation = 0;
  /// The same of the cases and of the verb.
  double mark_deviation = 0;
  int64_t outputs = 0;
};

class CaseMarkedModel : public TaskModel {
 public:
  std::vector<ShownSentence> show() override;
  MultiHeadAttention& attention() override { return attention_; }

 protected:
  CaseMarkedModel(const CaseMarkedOptions& options, Init init, Rng& rng);

  struct Forward {
    Tensor predictions;
    Tensor weights;  // (B, h, T), undefined unless asked for
  };

  /// keys and tokens (B, T, d_model); the predictions come in `shape`.
  Forward look(const Tensor& keys, const Tensor& tokens, const Shape& shape, bool weights) const;

  /// One sentence that `rng` draws.
  virtual ShownSentence show_one(Rng& rng) = 0;

  Tensor embedding_;  // as in the options
  Tensor cases_;      // (3, d_model)

 private:
  void members(Members& m) override;

  Tensor verb_;  // (d_model)
  MultiHeadAttention attention_;
  Tensor read_out_;  // (outputs, d_model)
};

}  // namespace headwise::study
