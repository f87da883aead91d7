#include "headwise/study/tasks/conllu_task.h"

#include <cmath>

#include "headwise/autograd/autograd.h"
#include "headwise/layers/dropout.h"
#include "headwise/layers/init.h"
#include "headwise/study/head_metrics.h"
#include "headwise/study/tasks/verb_data.h"
#include "headwise/study/tasks/verb_task.h"

namespace headwise::study {
namespace {

constexpr int64_t default_batch = 64, evaluation_batch = 256, min_count = 3, shown_sentences = 3;

struct Treebank {
  Vocabulary vocabulary;
  std::vector<VerbExample> train, dev;
  std::vector<Sentence> dev_sentences;
};

// Walks over the training verbs in a new random order every epoch.
class Epochs {
 public:
  explicit Epochs(size_t count) : order_(count), next_(count) {
    for (size_t i = 0; i < count; ++i) order_[i] = static_cast<int64_t>(i);
  }

  std::vector<int64_t> take(int64_t wanted, Rng& rng) {
    std::vector<int64_t> taken;
    while (static_cast<int64_t>(taken.size()) < wanted) {
      if (next_ == order_.size()) {
        rng.shuffle(order_);
        next_ = 0;
      }
      taken.push_back(order_[next_++]);
    }
    return taken;
  }

 private:
  std::vector<int64_t> order_;
  size_t next_;
};

class Model : public TaskModel {
 public:
  Model(std::shared_ptr<const Treebank> treebank, int64_t d_model, int64_t heads, int64_t batch, Init init,
        Rng& rng)
      : treebank_(std::move(treebank)),
        batch_(batch),
        epochs_(treebank_->train.size()),
        attention_(make_attention(d_model, heads, init, rng)),
        dropout_(0.2, rng.derive("dropout")) {
    const double deviation = 1 / std::sqrt(static_cast<double>(d_model));
    embedding_ = parameter(normal({treebank_->vocabulary.size(), d_model}, 0.3, rng));
    position_bias_ = parameter(zeros({offset_count, heads}));
    for (Tensor& read_out : read_outs_) read_out = parameter(normal({d_model, d_model}, deviation, rng));
  }

  Tensor training_loss(Rng& data) override {
    const VerbBatch batch = make_batch(treebank_->train, epochs_.take(batch_, data));
    return loss(forward(batch, false).logits, batch);
  }

  Evaluation evaluate(Rng&) override {
    const NoGrad guard;
    eval();
    double right[2] = {0, 0}, known[2] = {0, 0}, total_loss = 0;
    std::vector<std::vector<double>> scores(static_cast<size_t>(attention_.heads()), std::vector<double>(2));
    const auto count = static_cast<int64_t>(treebank_->dev.size());
    for (int64_t first = 0; first < count; first += evaluation_batch) {
      std::vector<int64_t> chosen;
      for (int64_t i = first; i < std::min(count, first + evaluation_batch); ++i) chosen.push_back(i);
      const VerbBatch batch = make_batch(treebank_->dev, chosen);
      const Forward result = forward(batch, true);
      const auto predicted = argmax(result.logits, -1).to_vector<int64_t>();
      const auto targets = batch.targets.to_vector<int64_t>();
      const CrossEntropy entropy =
          cross_entropy(result.logits, batch.targets, {.ignore_index = Vocabulary::unknown});
      total_loss += entropy.loss.item<float>() * static_cast<double>(entropy.count);
      for (size_t i = 0; i < targets.size(); ++i) {
        if (targets[i] == Vocabulary::unknown) continue;
        known[i % 2] += 1;
        right[i % 2] += predicted[i] == targets[i];
      }
      const auto batch_scores = relation_scores(result.weights, batch.positions);
      for (size_t h = 0; h < scores.size(); ++h)
        for (size_t r = 0; r < 2; ++r)
          scores[h][r] +=
              batch_scores[h][r] * static_cast<double>(chosen.size()) / static_cast<double>(count);
    }
    train();
    Evaluation evaluation;
    evaluation.metrics["accuracy_subject"] = right[0] / known[0];
    evaluation.metrics["accuracy_object"] = right[1] / known[1];
    evaluation.metrics["accuracy"] = (right[0] + right[1]) / (known[0] + known[1]);
    evaluation.metrics["loss"] = total_loss / (known[0] + known[1]);
    evaluation.relation_scores = std::move(scores);
    return evaluation;
  }

  std::vector<ShownSentence> show() override {
    const NoGrad guard;
    eval();
    std::vector<ShownSentence> shown;
    // Short sentences whose subject, verb and object are all known words, from the start of the file.
    for (size_t i = 0; i < treebank_->dev.size() && shown.size() < shown_sentences; ++i) {
      const VerbExample& example = treebank_->dev[i];
      const auto known = [&](int64_t at) {
        return example.words[static_cast<size_t>(at)] != Vocabulary::unknown;
      };
      if (example.words.size() > 12 || !known(example.subject) || !known(example.object) ||
          !known(example.verb))
        continue;
      const VerbBatch batch = make_batch(treebank_->dev, {static_cast<int64_t>(i)});
      const std::vector<Word>& words = treebank_->dev_sentences[static_cast<size_t>(example.sentence)].words;
      std::vector<std::string> forms;
      for (const Word& word : words) forms.push_back(word.form);
      const std::string title = fmt::format("the verb '{}'", forms[static_cast<size_t>(example.verb)]);
      shown.push_back(shown_sentence(title, std::move(forms), batch.positions, forward(batch, true).weights));
    }
    train();
    return shown;
  }

  MultiHeadAttention& attention() override { return attention_; }

 private:
  struct Forward {
    Tensor logits;   // (B, 2, V)
    Tensor weights;  // (B, h, S)
  };

  static Tensor loss(const Tensor& logits, const VerbBatch& batch) {
    return cross_entropy(logits, batch.targets, {.ignore_index = Vocabulary::unknown}).loss;
  }

  Forward forward(const VerbBatch& batch, bool weights) {
    const int64_t size = batch.words.size(0), length = batch.words.size(1);
    const Tensor words = dropout_.forward(embedding(embedding_, batch.words));  // (B, S, d)
    const Tensor verbs = dropout_.forward(embedding(embedding_, batch.verbs));  // (B, 1, d)
    const Tensor bias =
        embedding(position_bias_, batch.offsets).permute({0, 2, 1}).unsqueeze(2);  // (B, h, 1, S)
    const Attended attended = attention_.forward(
        verbs, words, words,
        {.allowed = batch.present.view({size, 1, 1, length}), .bias = bias, .weights = weights});
    // logits = out U_r E^T for each relation r
    const Tensor read =
        cat({linear(attended.output, read_outs_[0]), linear(attended.output, read_outs_[1])}, 1);
    return {linear(read, embedding_), weights ? attended.weights.squeeze(2) : Tensor()};
  }

  void members(Members& m) override {
    m.parameter("embedding", embedding_);
    m.parameter("position_bias", position_bias_);
    m.child("attention", attention_);
    m.child("dropout", dropout_);
    m.parameter("read_out_subject", read_outs_[0]);
    m.parameter("read_out_object", read_outs_[1]);
  }

  std::shared_ptr<const Treebank> treebank_;
  int64_t batch_;
  Epochs epochs_;
  Tensor embedding_;      // (V, d_model), also the read-out
  Tensor position_bias_;  // (offsets, h)
  MultiHeadAttention attention_;
  Dropout dropout_;
  Tensor read_outs_[2];  // (d_model, d_model) each
};

class ConlluTask : public VerbTask {
 public:
  explicit ConlluTask(const TaskOptions& options)
      : VerbTask("conllu", options.d_model.value_or(64)), batch_(options.batch.value_or(default_batch)) {
    require(!options.train.empty() && !options.dev.empty(),
            "conllu: name the treebank files with --train FILE and --dev FILE");
    const std::vector<Sentence> train = read_conllu(options.train);
    std::vector<Sentence> dev = read_conllu(options.dev);
    Vocabulary vocabulary(train, min_count);
    std::vector<VerbExample> train_verbs = verb_examples(train, vocabulary),
                             dev_verbs = verb_examples(dev, vocabulary);
    require_verbs(options.train, train_verbs);
    require_verbs(options.dev, dev_verbs);
    treebank_ = std::make_shared<const Treebank>(
        Treebank{std::move(vocabulary), std::move(train_verbs), std::move(dev_verbs), std::move(dev)});
  }

  Training training() const override { return {.lr = 2e-3, .weight_decay = 0.01}; }
  std::string judged_by() const override { return "accuracy"; }
  bool solved(double value) const override { return value > 0.999; }
  std::unique_ptr<TaskModel> make_model(int64_t heads, Init init, Rng& rng) const override {
    return std::make_unique<Model>(treebank_, d_model(), heads, batch_, init, rng);
  }

 private:
  // Every relation needs a target that is a known word, or there is nothing to score.
  static void require_verbs(const std::filesystem::path& file, const std::vector<VerbExample>& verbs) {
    for (const bool object : {false, true})
      require(std::any_of(verbs.begin(), verbs.end(),
                          [&](const VerbExample& verb) {
                            const int64_t target = object ? verb.object : verb.subject;
                            return verb.words[static_cast<size_t>(target)] != Vocabulary::unknown;
                          }),
              "conllu: {} holds no verb with one subject and one object of which the {} is a word seen {} "
              "times in the "
              "training file",
              file.string(), relation_names[object], min_count);
  }

  int64_t batch_;
  std::shared_ptr<const Treebank> treebank_;
};

}  // namespace

std::unique_ptr<Task> make_conllu_task(const TaskOptions& options) {
  return std::make_unique<ConlluTask>(options);
}

}  // namespace headwise::study
