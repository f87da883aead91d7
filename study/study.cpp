#include "headwise/study/study.h"

#include <atomic>
#include <cmath>
#include <mutex>
#include <thread>

#include "headwise/autograd/autograd.h"
#include "headwise/optim/adam.h"
#include "headwise/study/head_metrics.h"

namespace headwise::study {
namespace {

// The largest difference between a head's weights and head 0's.
double difference_between_heads(const MultiHeadAttention& attention) {
  double worst = 0;
  auto compare = [&](const Tensor& heads, int axis) {
    const Tensor difference = heads - heads.slice(axis, 0, 1);
    for (const double x : difference.to(f64).to_vector<double>()) worst = std::max(worst, std::abs(x));
  };
  const NoGrad guard;
  for (const Tensor& projection : {attention.W_Q, attention.W_K, attention.W_V})
    compare(attention.head_rows(projection), 0);
  compare(attention.head_columns(attention.W_O), 1);
  return worst;
}

std::vector<std::optional<int64_t>> roles_of(const Start& start, size_t relations) {
  std::vector<std::optional<int64_t>> roles(relations);
  const bool tied = start.head_difference == 0.0;
  if (const auto assigned = assign_rows(start.evaluation.relation_scores); assigned && !tied)
    for (size_t r = 0; r < relations; ++r) roles[r] = (*assigned)[r];
  return roles;
}

void summarise_arm(Arm& arm, const Task& task, uint64_t seed) {
  std::map<std::string, std::vector<double>> values;
  int64_t solved = 0;
  for (const Start& start : arm.starts) {
    for (const auto& [metric, value] : start.evaluation.metrics) values[metric].push_back(value);
    if (const auto index = specialisation_index(start.evaluation.relation_scores))
      values["specialisation_index"].push_back(*index);
    solved += task.solved(start.evaluation.metrics.at(task.judged_by()));
  }
  for (const auto& [metric, list] : values)
    arm.summary[metric] = summarise(list, Rng(seed).derive("bootstrap"));
  const auto n = static_cast<int64_t>(arm.starts.size());
  const double share = static_cast<double>(solved) / static_cast<double>(n);
  arm.solved = {share, std::sqrt(share * (1 - share)), wilson_interval(solved, n), n};
  // Accuracies that are the same in every start say as much as the count of starts that solved the task.
  for (auto& [metric, summary] : arm.summary)
    if (n > 1 && !summary.interval && (metric.starts_with("accuracy") || metric == "all_correct"))
      summary.interval = arm.solved.interval;
}

std::vector<Arm> make_arms(const StudyConfig& config) {
  std::vector<Arm> arms;
  for (const int64_t heads : config.heads)
    for (const Init init : config.inits) {
      if (heads == 1 && init != Init::random && config.inits.size() > 1)
        continue;  // one head has nothing to tie
      const bool tied = init != Init::random;
      const int64_t starts = tied ? config.tied_seeds.value_or(config.seeds) : config.seeds;
      arms.push_back({heads, init, std::vector<Start>(static_cast<size_t>(starts)), {}, {}});
    }
  return arms;
}

void check(const StudyConfig& config, int64_t d_model, const Training& training) {
  require(d_model > 0, "study: d_model must be positive, got {}", d_model);
  require(!config.heads.empty() && !config.inits.empty(),
          "study: name at least one number of heads and one init");
  for (const int64_t heads : config.heads)
    require(heads > 0 && d_model % heads == 0, "study: heads = {} does not divide d_model = {}", heads,
            d_model);
  require(config.seeds > 0 && config.tied_seeds.value_or(1) > 0,
          "study: at least one start is needed, got seeds = {}", config.seeds);
  require(training.steps > 0, "study: steps must be positive, got {}", training.steps);
  require(std::isfinite(training.lr) && training.lr > 0, "study: lr must be positive, got {}", training.lr);
  require(config.task_options.batch.value_or(1) > 0, "study: batch must be positive, got {}",
          config.task_options.batch.value_or(1));
  require(config.jobs >= 0, "study: jobs must not be negative, got {}", config.jobs);
}

}  // namespace

Seeds seeds_of_start(uint64_t seed, int64_t index) {
  auto derive = [&](const char* label) {
    return Rng(seed).derive(label, static_cast<uint64_t>(index)).bits() >> 11;
  };
  return {derive("init"), derive("data"), Rng(seed).derive("evaluation").bits() >> 11};
}

std::string Arm::name() const {
  return init == Init::random ? fmt::format("h={}", heads) : fmt::format("h={} {}", heads, name_of(init));
}

Start train_start(const Task& task, const Training& training, int64_t heads, Init init, const Seeds& seeds,
                  const std::function<void()>& after_step) {
  Rng init_rng(seeds.init), data_rng(seeds.data), evaluation_rng(seeds.evaluation);
  const std::unique_ptr<TaskModel> model = task.make_model(heads, init, init_rng);
  const AdamOptions options{.lr = training.lr, .weight_decay = training.weight_decay};
  AdamW optimiser(model->named_parameters(), options);  // without decay this is Adam
  const auto drop = static_cast<int64_t>(training.lr_drop_at * static_cast<double>(training.steps));
  Start start;
  start.seeds = seeds;
  start.steps = training.steps;
  for (int64_t step = 0; step < training.steps; ++step) {
    if (step == drop) optimiser.set_lr(training.lr * 0.1);
    optimiser.zero_grad();
    const Tensor loss = model->training_loss(data_rng);
    backward(loss);
    optimiser.step();
    if (step == training.steps - 1) start.final_loss = loss.to(f64).item<double>();
    after_step();
  }
  start.evaluation = model->evaluate(evaluation_rng);
  start.shown = model->show();
  if (heads > 1) start.head_difference = difference_between_heads(model->attention());
  start.roles = roles_of(start, task.relations().size());
  if (!std::isfinite(start.final_loss)) start.status = "diverged";
  return start;
}

Study run_study(const StudyConfig& config, const Progress& progress) {
  const std::unique_ptr<Task> task = make_task(config.task, config.task_options);
  Study study{config,           task->relations(), task->d_model(),
              task->training(), task->judged_by(), make_arms(config)};
  if (config.steps) study.training.steps = *config.steps;
  if (config.lr) study.training.lr = *config.lr;
  check(config, study.d_model, study.training);

  struct Job {
    Arm* arm;
    size_t start;
  };
  std::vector<Job> jobs;
  for (Arm& arm : study.arms)
    for (size_t i = 0; i < arm.starts.size(); ++i) jobs.push_back({&arm, i});

  std::mutex mutex;
  std::exception_ptr failure;
  std::atomic<size_t> next{0};
  std::atomic<int64_t> steps_done{0};
  const double all_steps = static_cast<double>(study.training.steps) * static_cast<double>(jobs.size());
  auto work = [&] {
    set_num_threads(1);
    try {
      for (size_t j = next++; j < jobs.size(); j = next++) {
        auto [arm, index] = jobs[j];
        arm->starts[index] = train_start(*task, study.training, arm->heads, arm->init,
                                         seeds_of_start(config.seed, static_cast<int64_t>(index)), [&] {
                                           const int64_t done = ++steps_done;
                                           if (done % 16) return;
                                           const std::lock_guard lock(mutex);
                                           progress(static_cast<double>(done) / all_steps);
                                         });
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
      next = jobs.size();
    }
  };
  const size_t cores = std::max(1u, std::thread::hardware_concurrency());
  const size_t workers = std::min(jobs.size(), config.jobs ? static_cast<size_t>(config.jobs) : cores);
  {
    std::vector<std::jthread> threads;
    for (size_t i = 0; i < workers; ++i) threads.emplace_back(work);
  }
  if (failure) std::rethrow_exception(failure);
  progress(1);
  for (Arm& arm : study.arms) summarise_arm(arm, *task, config.seed);
  return study;
}

}  // namespace headwise::study
