#include "headwise/study/tasks/two_relations.h"

#include <cmath>

#include "headwise/autograd/autograd.h"
#include "headwise/study/head_metrics.h"
#include "headwise/study/tasks/case_marked.h"
#include "headwise/study/tasks/case_marked_model.h"
#include "headwise/study/tasks/verb_task.h"

namespace headwise::study {
namespace {

constexpr int64_t attributes = 4, values_per_attribute = 4, answers = 2 * attributes;
constexpr int64_t default_batch = 128, evaluation_sentences = 8192;

constexpr const char* attribute_words[attributes][values_per_attribute] = {
    {"tiny", "small", "big", "huge"},
    {"young", "old", "tired", "lively"},
    {"grey", "black", "white", "brown"},
    {"cat", "dog", "horse", "bird"},
};

struct Sentences {
  Tensor words;  // (B, T, attributes) of i64: rows of the word table
  Cases cases;
  Tensor answers;  // (B, 8) of i64: the subject's attribute values, then the object's
};

Sentences draw_sentences(int64_t batch, Rng& rng) {
  Sentences sentences{empty({batch, sentence_length, attributes}, i64), draw_cases(batch, rng), {}};
  auto words = sentences.words.mutable_values<int64_t>();
  for (size_t i = 0; i < words.size(); ++i)
    words[i] = static_cast<int64_t>(i) % attributes * values_per_attribute + rng.below(values_per_attribute);
  const Tensor chosen = rows_at(sentences.words, sentences.cases.positions);  // (B, 2, attributes)
  sentences.answers =
      (chosen - arange(attributes) * static_cast<double>(values_per_attribute)).view({batch, answers});
  return sentences;
}

CaseMarkedOptions model_options(int64_t d_model, int64_t heads) {
  const double deviation = 1 / std::sqrt(static_cast<double>(d_model));
  return {.d_model = d_model,
          .heads = heads,
          .embedding = {attributes * values_per_attribute, d_model},
          .embedding_deviation = deviation,
          .mark_deviation = deviation,
          .outputs = answers * values_per_attribute};
}

class Model : public CaseMarkedModel {
 public:
  Model(int64_t d_model, int64_t heads, int64_t batch, Init init, Rng& rng)
      : CaseMarkedModel(model_options(d_model, heads), init, rng), batch_(batch) {}

  Tensor training_loss(Rng& data) override {
    const Sentences sentences = draw_sentences(batch_, data);
    return cross_entropy(forward(sentences, false).predictions, sentences.answers).loss;
  }

  Evaluation evaluate(Rng& data) override {
    const NoGrad guard;
    const Sentences sentences = draw_sentences(evaluation_sentences, data);
    const Forward result = forward(sentences, true);
    const Tensor right = (argmax(result.predictions, -1) == sentences.answers).to(f64);  // (B, 8)
    const Tensor right_by_relation = mean(right.view({right.size(0), 2, attributes}), {0, 2});
    Evaluation evaluation;
    evaluation.metrics["accuracy"] = mean(right).item<double>();
    evaluation.metrics["all_correct"] = mean(amin(right, {-1})).item<double>();
    evaluation.metrics["accuracy_subject"] = right_by_relation.select(0, 0).item<double>();
    evaluation.metrics["accuracy_object"] = right_by_relation.select(0, 1).item<double>();
    evaluation.metrics["loss"] =
        cross_entropy(result.predictions, sentences.answers).loss.to(f64).item<double>();
    evaluation.relation_scores = relation_scores(result.weights, sentences.cases.positions);
    return evaluation;
  }

 private:
  ShownSentence show_one(Rng& rng) override {
    const Sentences sentences = draw_sentences(1, rng);
    const auto words = sentences.words.to_vector<int64_t>(),
               cases = sentences.cases.of_token.to_vector<int64_t>();
    std::vector<std::string> nouns;
    for (size_t token = 0; token < cases.size(); ++token) {
      std::string noun;
      for (size_t a = 0; a < static_cast<size_t>(attributes); ++a)
        noun += fmt::format("{} ", attribute_words[a][words[token * attributes + a] % values_per_attribute]);
      nouns.push_back(noun + case_names[cases[token]]);
    }
    return shown_sentence("a verb and its nouns", std::move(nouns), sentences.cases.positions,
                          forward(sentences, true).weights);
  }

  // Predictions (B, 8, values).
  Forward forward(const Sentences& sentences, bool weights) const {
    const Tensor nouns =
        sum(embedding(embedding_, sentences.words), {2}) + embedding(cases_, sentences.cases.of_token);
    return look(nouns, nouns, {nouns.size(0), answers, values_per_attribute}, weights);
  }

  int64_t batch_;
};

class TwoRelations : public VerbTask {
 public:
  explicit TwoRelations(const TaskOptions& options)
      : VerbTask("two-relations", options.d_model.value_or(32)),
        batch_(options.batch.value_or(default_batch)) {}
  Training training() const override { return {}; }
  std::string judged_by() const override { return "accuracy"; }
  bool solved(double value) const override { return value > 0.999; }
  std::unique_ptr<TaskModel> make_model(int64_t heads, Init init, Rng& rng) const override {
    return std::make_unique<Model>(d_model(), heads, batch_, init, rng);
  }

 private:
  int64_t batch_;
};

}  // namespace

std::unique_ptr<Task> make_two_relations(const TaskOptions& options) {
  return std::make_unique<TwoRelations>(options);
}

}  // namespace headwise::study
