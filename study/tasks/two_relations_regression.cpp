#include "headwise/study/tasks/two_relations_regression.h"

#include <cmath>

#include "headwise/autograd/autograd.h"
#include "headwise/layers/init.h"
#include "headwise/study/head_metrics.h"
#include "headwise/study/tasks/case_marked.h"

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

class Model : public TaskModel {
 public:
  Model(const TaskOptions& options, int64_t d_model, int64_t heads, Init init, Rng& rng)
      : batch_(options.batch.value_or(default_batch)),
        contents_(options.contents),
        keys_see_case_alone_(options.keys_see_case_alone),
        attention_(make_attention(d_model, heads, init, rng)) {
    const double deviation = 1 / std::sqrt(static_cast<double>(d_model));
    embedding_ = parameter(normal({d_model, contents_}, 1 / std::sqrt(static_cast<double>(contents_)), rng));
    cases_ = parameter(normal({case_count, d_model}, 2 * deviation, rng));
    verb_ = parameter(normal({d_model}, 2 * deviation, rng));
    read_out_ = parameter(normal({2 * contents_, d_model}, deviation, rng));
  }

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

  std::vector<ShownSentence> show() override {
    const NoGrad guard;
    Rng rng(20);
    const Sentences sentences = draw_sentences(1, contents_, rng);
    ShownSentence shown{"a verb and its tokens", {}, sentences.cases.positions.to_vector<int64_t>(), {}};
    for (const int64_t token_case : sentences.cases.of_token.to_vector<int64_t>())
      shown.words.push_back(fmt::format("x{} {}", shown.words.size() + 1, case_names[token_case]));
    shown.weights = attention_rows(forward(sentences, true).weights.select(0, 0));
    return {shown};
  }

  MultiHeadAttention& attention() override { return attention_; }

 private:
  struct Forward {
    Tensor predictions;  // (B, 2, m)
    Tensor weights;      // (B, h, T)
  };

  Forward forward(const Sentences& sentences, bool weights) const {
    const int64_t batch = sentences.contents.size(0), d_model = attention_.d_model();
    const Tensor cases = embedding(cases_, sentences.cases.of_token);
    const Tensor tokens = linear(sentences.contents, embedding_) + cases;
    const Tensor query = verb_.expand({batch, 1, d_model});
    const Attended attended =
        attention_.forward(query, keys_see_case_alone_ ? cases : tokens, tokens, {.weights = weights});
    const Tensor predictions = linear((query + attended.output).view({batch, d_model}), read_out_);
    return {predictions.view({batch, 2, contents_}), weights ? attended.weights.squeeze(2) : Tensor()};
  }

  void members(Members& m) override {
    m.parameter("embedding", embedding_);
    m.parameter("cases", cases_);
    m.parameter("verb", verb_);
    m.child("attention", attention_);
    m.parameter("read_out", read_out_);
  }

  int64_t batch_, contents_;
  bool keys_see_case_alone_;
  Tensor embedding_;  // (d_model, m)
  Tensor cases_;      // (3, d_model)
  Tensor verb_;       // (d_model)
  MultiHeadAttention attention_;
  Tensor read_out_;  // (2 m, d_model)
};

class TwoRelationsRegression : public Task {
 public:
  explicit TwoRelationsRegression(const TaskOptions& options) : options_(options) {
    require(options.contents > 0, "two-relations-regression: contents must be positive, got {}",
            options.contents);
  }
  std::string name() const override { return "two-relations-regression"; }
  std::vector<std::string> relations() const override {
    return {std::begin(relation_names), std::end(relation_names)};
  }
  int64_t d_model() const override { return options_.d_model.value_or(32); }
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
