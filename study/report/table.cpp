#include "headwise/study/report/table.h"

#include <algorithm>
#include <cmath>

namespace headwise::study {
namespace {

// The metrics worth a column, in this order, where a task has them.
constexpr const char* shown_metrics[] = {"accuracy",     "all_correct", "accuracy_subject", "accuracy_object",
                                         "nmse_subject", "nmse_object", "nmse_sum"};

std::vector<std::string> metrics_of(const Arm& arm) {
  std::vector<std::string> metrics;
  for (const char* metric : shown_metrics)
    if (arm.summary.contains(metric)) metrics.emplace_back(metric);
  return metrics;
}

std::string role_text(const Start& start, size_t relation) {
  const auto& role = start.roles[relation];
  return role ? fmt::format("head {}", *role) : "-";
}

std::string header(const Study& study, const Arm& arm, const std::vector<std::string>& metrics) {
  std::string line = fmt::format("{:>5}  {:>10}", "start", "loss");
  for (const auto& metric : metrics)
    line += fmt::format("  {:>{}}", metric, std::max<size_t>(metric.size(), 7));
  for (int64_t head = 0; head < arm.heads; ++head)
    line += fmt::format("  {:>{}}", fmt::format("head {}", head), 4 * study.relations.size() + 1);
  for (const auto& relation : study.relations) line += fmt::format("  {:>8}", relation);
  return line + "\n";
}

std::string row(const Study& study, const Start& start, size_t index,
                const std::vector<std::string>& metrics) {
  std::string line = fmt::format("{:>5}  {:>10.6f}", index, start.final_loss);
  for (const auto& metric : metrics)
    line +=
        fmt::format("  {:>{}.4f}", start.evaluation.metrics.at(metric), std::max<size_t>(metric.size(), 7));
  for (const auto& scores : start.evaluation.relation_scores) {
    line += "  ";
    for (const double score : scores) line += fmt::format(" {:.2f}", score).erase(1, score < 0.995 ? 1 : 0);
    line += ' ';
  }
  for (size_t r = 0; r < study.relations.size(); ++r) line += fmt::format("  {:>8}", role_text(start, r));
  return line + (start.status == "finished" ? "\n" : "  " + start.status + "\n");
}

std::string interval_text(const Summary& s) {
  return s.interval ? fmt::format("[{:.4f}, {:.4f}]", s.interval->low, s.interval->high) : "not defined";
}

std::string closing_lines(const Study& study, const Arm& arm, const std::vector<std::string>& metrics) {
  std::string text;
  for (const auto& metric : metrics) {
    const Summary& s = arm.summary.at(metric);
    text += fmt::format("       {:<17} mean {:.4f}  sd {:.4f}  95 % interval {}  n {}\n", metric, s.mean,
                        s.sd, interval_text(s), s.n);
  }
  text += fmt::format("       solved in {:.0f} of {} starts, 95 % interval of the share {}\n",
                      arm.solved.mean * static_cast<double>(arm.solved.n), arm.solved.n,
                      interval_text(arm.solved));
  int64_t taken = 0, first = 0;
  double largest_difference = 0;
  for (const Start& start : arm.starts) {
    largest_difference = std::max(largest_difference, start.head_difference.value_or(0));
    if (!start.roles[0]) continue;
    ++taken;
    first += *start.roles[0] == 0;
  }
  if (taken)
    text += fmt::format("       head 0 became the {} head in {} of {} starts\n", study.relations[0], first,
                        taken);
  if (arm.init != Init::random && arm.heads > 1)
    text += largest_difference == 0
                ? std::string("       the heads stayed exactly tied: largest difference 0\n")
                : fmt::format("       the heads came apart: largest difference {:.3g}\n", largest_difference);
  return text;
}

}  // namespace

std::string study_table(const Study& study) {
  std::string text;
  for (const Arm& arm : study.arms) {
    const auto metrics = metrics_of(arm);
    text +=
        fmt::format("\n{} ({} starts, {} steps, d_model {}); a head's scores: {}\n", arm.name(),
                    arm.starts.size(), study.training.steps, study.d_model, fmt::join(study.relations, ", "));
    text += header(study, arm, metrics);
    for (size_t i = 0; i < arm.starts.size(); ++i) text += row(study, arm.starts[i], i, metrics);
    text += closing_lines(study, arm, metrics);
  }
  return text;
}

std::string sentence_table(const Study& study, size_t index) {
  const ShownSentence& sentence = study.arms.front().starts.front().shown.at(index);
  size_t width = 0;
  for (const auto& word : sentence.words) width = std::max(width, word.size());
  std::string text = fmt::format("\n{}: where the first start of each arm looks\n", sentence.title);
  std::string line = fmt::format("  {:<{}}", "", width);
  for (const Arm& arm : study.arms)
    for (int64_t head = 0; head < arm.heads; ++head)
      line += fmt::format("  {:>8}", head == 0 ? arm.name() : "");
  text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  line = fmt::format("  {:<{}}", "", width);
  for (const Arm& arm : study.arms)
    for (int64_t head = 0; head < arm.heads; ++head)
      line += fmt::format("  {:>8}", fmt::format("head {}", head));
  text += line + "\n";
  for (size_t j = 0; j < sentence.words.size(); ++j) {
    text += fmt::format("  {:<{}}", sentence.words[j], width);
    for (const Arm& arm : study.arms)
      for (const auto& weights : arm.starts.front().shown.at(index).weights)
        text += fmt::format("  {:>8.2f}", weights[j]);
    for (size_t r = 0; r < study.relations.size(); ++r)
      if (sentence.relation_positions[r] == static_cast<int64_t>(j)) text += "  <- " + study.relations[r];
    text += "\n";
  }
  return text;
}

}  // namespace headwise::study
