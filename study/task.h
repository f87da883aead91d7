// A task: data with known relations, and the small model that is trained on it.
//
// A Task is immutable and shared by all starts; a TaskModel belongs to one start. All its randomness comes
// from generators that are handed in, so that initialisation, data and evaluation have seeds of their own.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "headwise/autograd/rng.h"
#include "headwise/layers/multi_head_attention.h"

namespace headwise::study {

/// How the heads of a start are related before training.
enum class Init { random, tied, tied_qkv };

/// "random", "tied" or "tied-qkv"; Error lists the three.
Init parse_init(const std::string& name);
const char* name_of(Init init);

/// What may be set for a task; what is left empty keeps the task's default.
struct TaskOptions {
  std::optional<int64_t> d_model;
  /// Samples per training step.
  std::optional<int64_t> batch;
  /// two-relations-regression: keys see the case alone instead of the whole token.
  bool keys_see_case_alone = false;
  /// two-relations-regression: the number m of a token's contents.
  int64_t contents = 8;
  /// conllu: the treebank files.
  std::filesystem::path train, dev;
};

/// How a task is trained unless the user says otherwise.
struct Training {
  int64_t steps = 1500;
  double lr = 3e-3;
  /// AdamW's decay; 0 means plain Adam.
  double weight_decay = 0;
  /// The learning rate falls to a tenth after this share of the steps; 1 keeps it constant.
  double lr_drop_at = 1;
};

/// One sentence as the heads of a model see it: a row of attention per head.
struct ShownSentence {
  std::string title;
  std::vector<std::string> words;
  std::vector<int64_t> relation_positions;   // where each relation's word stands
  std::vector<std::vector<double>> weights;  // heads x words
};

/// From tensors of a batch of one: positions (1, R) of i64 and weights (1, h, S).
ShownSentence shown_sentence(std::string title, std::vector<std::string> words, const Tensor& positions,
                             const Tensor& weights);

struct Evaluation {
  std::map<std::string, double> metrics;
  std::vector<std::vector<double>> relation_scores;  // heads x relations
};

/// A model at one start.
class TaskModel : public Module {
 public:
  /// The loss on the next batch that `data` gives.
  virtual Tensor training_loss(Rng& data) = 0;
  /// Metrics on the task's evaluation set, drawn from `data` where the task makes its own. Records no graph.
  virtual Evaluation evaluate(Rng& data) = 0;
  /// A few sentences, the same for all models of the task.
  virtual std::vector<ShownSentence> show() = 0;
  virtual MultiHeadAttention& attention() = 0;
};

class Task {
 public:
  virtual ~Task() = default;
  virtual std::string name() const = 0;
  virtual std::vector<std::string> relations() const = 0;
  virtual int64_t d_model() const = 0;
  virtual Training training() const = 0;
  /// The metric by which a start is judged, and the value from which it counts as solved.
  virtual std::string judged_by() const = 0;
  virtual bool solved(double value) const = 0;
  virtual std::unique_ptr<TaskModel> make_model(int64_t heads, Init init, Rng& rng) const = 0;
};

struct TaskEntry {
  std::string name, summary;
  std::unique_ptr<Task> (*make)(const TaskOptions& options);
};

/// All tasks that the program knows.
const std::vector<TaskEntry>& task_entries();
/// Error lists the known names.
std::unique_ptr<Task> make_task(const std::string& name, const TaskOptions& options);

/// An attention layer with every matrix from N(0, 1 / d_model), its heads tied as `init` says.
MultiHeadAttention make_attention(int64_t d_model, int64_t heads, Init init, Rng& rng);

}  // namespace headwise::study
