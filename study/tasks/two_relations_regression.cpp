#include "headwise/study/tasks/two_relations_regression.h"

#include <cmath>

#include "headwise/autograd/autograd.h"
#include "headwise/study/head_metrics.h"
#include "headwise/study/tasks/case_marked.h"
#include "headwise/study/tasks/case_marked_model.h"
#include "headwise/study/tasks/verb_task.h"

namespace headwise::study {
namespace {

constexpr int64_t default_batch = 256, evaluation_batch = 8192, evaluation_batches = 8;

struct Sentences {
  Tensor contents;  // (B, T, m)
  Cases cases;
  Tensor answers;  // (B, 2, m): the contents of the subject and of the object
};

Sentences draw_sentences(int64_t batch, int64_t m, Rng& rng) {
  Sentences sentences{randn({batch, sentence_length, m}, rng), draw_cases(batch, rng), {}};
  sentences.answers = rows_at(sentences.contents, sentences.cases.positions);
  return sentences;
}

CaseMarkedOptions model_options(int64_t contents, int64_t d_model, int64_t heads) {
  return {.d_model = d_model,
          .heads = heads,
          .embedding = {d_model, contents},
          .embedding_deviation = 1 / std::sqrt(static_cast<double>(contents)),
          .mark_deviation = 2 / std::sqrt(static_cast<double>(d_model)),
          .outputs = 2 * contents};
}

class Model : public CaseMarkedModel {
 public:
  Model(const TaskOptions& options, int64_t d_model, int64_t heads, Init init, Rng& rng)
      : CaseMarkedModel(model_options(options.contents, d_model, heads), init, rng),
        batch_(options.batch.value_or(default_batch)),
        contents_(options.contents),
        keys_see_case_alone_(options.keys_see_case_alone) {}

  Tensor training_loss(Rng& data) override {
    const Sentences sentences = draw_sentences(batch_, contents_, data);
    return mse_loss(forward(sentences, false).predictions, sentences.answers);
  }

  Evaluation evaluate(Rng& data) override {
    const NoGrad guard;
    Tensor errors = zeros({2}, f64), powers = zeros({2}, f64);
    Tensor weights, positions;
    for (int64_t batch = 0; batch < evaluation_batches; ++batch) {
      const Sentences sentences = draw_sentences(evaluation_batch, contents_, data);
      const Forward result = forward(sentences, true);
      const Tensor truth = sentences.answers.to(f64), error = result.predictions.to(f64) - truth;
      errors = errors + sum(error * error, {0, 2});
      powers = powers + sum(truth * truth, {0, 2});
      weights = weights.defined() ? cat({weights, result.weights}, 0) : result.weights;
      positions =
          positions.defined() ? cat({positions, sentences.cases.positions}, 0) : sentences.cases.positions;
    }
    const auto nmse = (errors / powers).to_vector<double>();
    Evaluation evaluation;
    evaluation.metrics["nmse_subject"] = nmse[0];
    evaluation.metrics["nmse_object"] = nmse[1];
    evaluation.metrics["nmse_sum"] = nmse[0] + nmse[1];
    evaluation.metrics["loss"] = sum(errors).item<double>() /
                                 static_cast<double>(evaluation_batch * evaluation_batches * 2 * contents_);
    evaluation.relation_scores = relation_scores(weights, positions);
    return evaluation;
  }

 private:
  ShownSentence show_one(Rng& rng) override {
    const Sentences sentences = draw_sentences(1, contents_, rng);
    std::vector<std::string> tokens;
    for (const int64_t token_case : sentences.cases.of_token.to_vector<int64_t>())
      tokens.push_back(fmt::format("x{} {}", tokens.size() + 1, case_names[token_case]));
    return shown_sentence("a verb and its tokens", std::move(tokens), sentences.cases.positions,
                          forward(sentences, true).weights);
  }

  // Predictions (B, 2, m).
  Forward forward(const Sentences& sentences, bool weights) const {
    const Tensor cases = embedding(cases_, sentences.cases.of_token);
    const Tensor tokens = linear(sentences.contents, embedding_) + cases;
    return look(keys_see_case_alone_ ? cases : tokens, tokens, {tokens.size(0), 2, contents_}, weights);
  }

  int64_t batch_, contents_;
  bool keys_see_case_alone_;
};

class TwoRelationsRegression : public VerbTask {
 public:
  explicit TwoRelationsRegression(const TaskOptions& options)
      : VerbTask("two-relations-regression", options.d_model.value_or(32)), options_(options) {
    require(options.contents > 0, "two-relations-regression: contents must be positive, got {}",
            options.contents);
  }
  Training training() const override { return {.lr_drop_at = 0.7}; }
  std::string judged_by() const override { return "nmse_sum"; }
  bool solved(double value) const override { return value < 0.01; }
  std::unique_ptr<TaskModel> make_model(int64_t heads, Init init, Rng& rng) const override {
    return std::make_unique<Model>(options_, d_model(), heads, init, rng);
  }

 private:
  TaskOptions options_;
};

}  // namespace

std::unique_ptr<Task> make_two_relations_regression(const TaskOptions& options) {
  return std::make_unique<TwoRelationsRegression>(options);
}

}  // namespace headwise::study
