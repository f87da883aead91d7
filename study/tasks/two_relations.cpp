#include "headwise/study/tasks/two_relations.h"

#include <cmath>

#include "headwise/autograd/autograd.h"
#include "headwise/layers/init.h"
#include "headwise/study/head_metrics.h"
#include "headwise/study/tasks/case_marked.h"

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

class Model : public TaskModel {
 public:
  Model(int64_t d_model, int64_t heads, int64_t batch, Init init, Rng& rng)
      : batch_(batch), attention_(make_attention(d_model, heads, init, rng)) {
    const double deviation = 1 / std::sqrt(static_cast<double>(d_model));
    words_ = parameter(normal({attributes * values_per_attribute, d_model}, deviation, rng));
    cases_ = parameter(normal({case_count, d_model}, deviation, rng));
    verb_ = parameter(normal({d_model}, deviation, rng));
    read_out_ = parameter(normal({answers * values_per_attribute, d_model}, deviation, rng));
  }

  Tensor training_loss(Rng& data) override {
    const Sentences sentences = draw_sentences(batch_, data);
    return cross_entropy(forward(sentences, false).logits, sentences.answers).loss;
  }

  Evaluation evaluate(Rng& data) override {
    const NoGrad guard;
    const Sentences sentences = draw_sentences(evaluation_sentences, data);
    const Forward result = forward(sentences, true);
    const Tensor right = (argmax(result.logits, -1) == sentences.answers).to(f64);  // (B, 8)
    const Tensor right_by_relation = mean(right.view({right.size(0), 2, attributes}), {0, 2});
    Evaluation evaluation;
    evaluation.metrics["accuracy"] = mean(right).item<double>();
    evaluation.metrics["all_correct"] = mean(amin(right, {-1})).item<double>();
    evaluation.metrics["accuracy_subject"] = right_by_relation.select(0, 0).item<double>();
    evaluation.metrics["accuracy_object"] = right_by_relation.select(0, 1).item<double>();
    evaluation.metrics["loss"] = cross_entropy(result.logits, sentences.answers).loss.to(f64).item<double>();
    evaluation.relation_scores = relation_scores(result.weights, sentences.cases.positions);
    return evaluation;
  }

  std::vector<ShownSentence> show() override {
    const NoGrad guard;
    Rng rng(20);
    const Sentences sentences = draw_sentences(1, rng);
    ShownSentence shown{"a verb and its nouns", {}, sentences.cases.positions.to_vector<int64_t>(), {}};
    const auto words = sentences.words.to_vector<int64_t>(),
               cases = sentences.cases.of_token.to_vector<int64_t>();
    for (size_t token = 0; token < static_cast<size_t>(sentence_length); ++token) {
      std::string noun;
      for (size_t a = 0; a < static_cast<size_t>(attributes); ++a)
        noun += fmt::format("{} ", attribute_words[a][words[token * attributes + a] % values_per_attribute]);
      shown.words.push_back(noun + case_names[cases[token]]);
    }
    shown.weights = attention_rows(forward(sentences, true).weights.select(0, 0));
    return {shown};
  }

  MultiHeadAttention& attention() override { return attention_; }

 private:
  struct Forward {
    Tensor logits;   // (B, 8, values)
    Tensor weights;  // (B, h, T)
  };

  Forward forward(const Sentences& sentences, bool weights) const {
    const int64_t batch = sentences.words.size(0), d_model = attention_.d_model();
    const Tensor nouns =
        sum(embedding(words_, sentences.words), {2}) + embedding(cases_, sentences.cases.of_token);
    const Tensor query = verb_.expand({batch, 1, d_model});
    const Attended attended = attention_.forward(query, nouns, nouns, {.weights = weights});
    const Tensor logits = linear((query + attended.output).view({batch, d_model}), read_out_);
    return {logits.view({batch, answers, values_per_attribute}),
            weights ? attended.weights.squeeze(2) : Tensor()};
  }

  void members(Members& m) override {
    m.parameter("words", words_);
    m.parameter("cases", cases_);
    m.parameter("verb", verb_);
    m.child("attention", attention_);
    m.parameter("read_out", read_out_);
  }

  int64_t batch_;
  Tensor words_;  // (16, d_model): a row per attribute and value
  Tensor cases_;  // (3, d_model)
  Tensor verb_;   // (d_model)
  MultiHeadAttention attention_;
  Tensor read_out_;  // (32, d_model)
};

class TwoRelations : public Task {
 public:
  explicit TwoRelations(const TaskOptions& options)
      : d_model_(options.d_model.value_or(32)), batch_(options.batch.value_or(default_batch)) {}
  std::string name() const override { return "two-relations"; }
  std::vector<std::string> relations() const override {
    return {std::begin(relation_names), std::end(relation_names)};
  }
  int64_t d_model() const override { return d_model_; }
  Training training() const override { return {}; }
  std::string judged_by() const override { return "accuracy"; }
  bool solved(double value) const override { return value > 0.999; }
  std::unique_ptr<TaskModel> make_model(int64_t heads, Init init, Rng& rng) const override {
    return std::make_unique<Model>(d_model_, heads, batch_, init, rng);
  }

 private:
  int64_t d_model_, batch_;
};

}  // namespace

std::unique_ptr<Task> make_two_relations(const TaskOptions& options) {
  return std::make_unique<TwoRelations>(options);
}

}  // namespace headwise::study
