// A study: one task, several arms, many random starts of each.
//
// An arm is a number of heads and a way of starting them. Start i of every arm shares its three seeds with
// start i of the others, so arms are paired: same data stream, same evaluation set. Seeds are derived by
// hashing from one number.
#pragma once

#include <functional>
#include <optional>

#include "headwise/study/statistics.h"
#include "headwise/study/task.h"

namespace headwise::study {

struct StudyConfig {
  std::string task = "two-relations";
  TaskOptions task_options;
  std::vector<int64_t> heads = {1, 2, 4};
  std::vector<Init> inits = {Init::random};
  int64_t seeds = 16;
  /// How many starts an arm with tied heads gets: they do not differ in what they show.
  std::optional<int64_t> tied_seeds;
  uint64_t seed = 1;
  std::optional<int64_t> steps;
  std::optional<double> lr;
  /// How many starts train at the same time, one thread each; 0 means one per core.
  int64_t jobs = 0;
};

struct Seeds {
  uint64_t init, data, evaluation;
};
/// The seeds of start `index`, each below 2^53 so that any JSON reader keeps them.
Seeds seeds_of_start(uint64_t seed, int64_t index);

struct Start {
  Seeds seeds{};
  int64_t steps = 0;
  double final_loss = 0;  // on the last training batch
  std::string status = "finished";
  Evaluation evaluation;
  /// One head per relation; nothing where there are fewer heads than relations or the heads stayed tied.
  std::vector<std::optional<int64_t>> roles;
  /// The largest difference between two heads' weights: exactly 0 for heads that stayed tied.
  std::optional<double> head_difference;
  std::vector<ShownSentence> shown;
};

struct Arm {
  int64_t heads;
  Init init;
  std::vector<Start> starts;
  /// By metric; an accuracy that is constant over the starts has the interval of `solved`.
  std::map<std::string, Summary> summary;
  Summary solved;  // mean: the share of starts that solved the task, with Wilson's interval

  std::string name() const;
};

struct Study {
  StudyConfig config;
  std::vector<std::string> relations;
  int64_t d_model;
  Training training;
  std::string judged_by;
  std::vector<Arm> arms;
};

/// Called from worker threads, one call at a time, with the share of all steps that is done.
using Progress = std::function<void(double done)>;

/// Trains every start of every arm. No figure depends on `jobs`. Error for a bad configuration, before
/// anything is trained.
Study run_study(const StudyConfig& config, const Progress& progress);

/// Trains one start.
Start train_start(const Task& task, const Training& training, int64_t heads, Init init, const Seeds& seeds,
                  const std::function<void()>& after_step);

}  // namespace headwise::study
