#include "headwise/study/report/gradient_report.h"

#include <algorithm>
#include <cmath>

namespace headwise::study {
namespace {

std::string count(int64_t number, const char* noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

}  // namespace

std::string gradient_table(const std::vector<GradientCheck>& checks) {
  size_t width = 4;
  for (const GradientCheck& check : checks) width = std::max(width, check.name.size());
  std::string text = fmt::format("{:<{}}  {:<5}  {:<20}  {:>20}  {:>8}  {:>7}\n", "name", width, "kind",
                                 "verdict", "worst relative error", "elements", "seconds");
  for (const GradientCheck& check : checks)
    text += fmt::format("{:<{}}  {:<5}  {:<20}  {:>20.1e}  {:>8}  {:>7.3f}\n", check.name, width, check.kind,
                        name_of(check.verdict), check.worst_relative_error, check.elements, check.seconds);
  for (const GradientCheck& check : checks)
    if (!check.details.empty()) text += "\n" + check.details;
  return text;
}

std::string gradient_summary(const std::vector<GradientCheck>& checks) {
  int64_t ops = 0, layers = 0;
  double seconds = 0;
  std::string others;
  int64_t right = 0;
  for (const GradientCheck& check : checks) {
    ++(check.kind == "op" ? ops : layers);
    seconds += check.seconds;
    if (check.verdict == Verdict::right)
      ++right;
    else
      others += fmt::format(", {} {}", check.name, name_of(check.verdict));
  }
  const std::string subject = layers == 0 ? count(ops, "op")
                              : ops == 0  ? count(layers, "layer")
                                         : fmt::format("{} and {}", count(ops, "op"), count(layers, "layer"));
  const std::string verdict = others.empty() ? "all right" : fmt::format("{} right{}", right, others);
  return fmt::format("{}: {}, {:.1f} s", subject, verdict, seconds);
}

nlohmann::ordered_json to_json(const std::vector<GradientCheck>& checks) {
  auto list = nlohmann::ordered_json::array();
  for (const GradientCheck& check : checks)
    list.push_back({{"name", check.name},
                    {"kind", check.kind},
                    {"verdict", name_of(check.verdict)},
                    {"worst_relative_error", check.worst_relative_error},
                    {"elements", check.elements},
                    {"seconds", check.seconds}});
  return list;
}

}  // namespace headwise::study
