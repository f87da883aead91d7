#include "headwise/study/gradient_checks.h"

#include <algorithm>
#include <chrono>

#include "headwise/autograd/cases/cases.h"
#include "headwise/layers/cases/cases.h"
#include "headwise/layers/gradcheck.h"

namespace headwise::study {
namespace {

std::vector<GradientRow> op_rows(const GradientRowOptions& options) {
  std::vector<GradientRow> rows;
  for (const cases::OpCase& row : cases::op_cases(options.seed))
    rows.push_back({row.op, "op", row.what, [row, second = options.second_order](const auto& how) {
                      return second ? gradgradcheck(row.function, row.inputs, how)
                                    : gradcheck(row.function, row.inputs, how);
                    }});
  return rows;
}

std::vector<GradientRow> layer_rows(const GradientRowOptions& options) {
  std::vector<GradientRow> rows;
  for (const cases::LayerCase& row : cases::layer_cases(options.seed))
    rows.push_back({row.layer, "layer", row.what, [row, second = options.second_order](const auto& how) {
                      return second ? gradgradcheck(row.function, *row.module, row.inputs, how)
                                    : gradcheck(row.function, *row.module, row.inputs, how);
                    }});
  return rows;
}

bool by_name(const GradientRow& a, const GradientRow& b) { return a.name < b.name; }

// The rows of these names out of all those of a kind.
std::vector<GradientRow> chosen(std::vector<GradientRow> rows, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row.name == name; })) continue;
    std::vector<std::string> known;
    for (const GradientRow& row : rows)
      if (known.empty() || known.back() != row.name) known.push_back(row.name);
    fail("gradcheck: there is no {} '{}'; there are {}", rows.front().kind, name, fmt::join(known, ", "));
  }
  std::erase_if(rows, [&](const GradientRow& row) {
    return std::find(names.begin(), names.end(), row.name) == names.end();
  });
  return rows;
}

}  // namespace

std::vector<GradientRow> gradient_rows(const GradientRowOptions& options) {
  std::vector<GradientRow> ops = op_rows(options), layers = layer_rows(options);
  for (auto* rows : {&ops, &layers}) std::stable_sort(rows->begin(), rows->end(), by_name);
  if (!options.ops.empty() || !options.layers.empty()) {
    ops = chosen(std::move(ops), options.ops);
    layers = chosen(std::move(layers), options.layers);
  }
  ops.insert(ops.end(), layers.begin(), layers.end());
  return ops;
}

std::vector<GradientCheck> check_gradients(const std::vector<GradientRow>& rows,
                                           const GradcheckOptions& options,
                                           const std::function<void(double)>& progress) {
  using Clock = std::chrono::steady_clock;
  std::vector<GradientCheck> checks;
  size_t done = 0;
  for (const GradientRow& row : rows) {
    if (checks.empty() || checks.back().name != row.name || checks.back().kind != row.kind)
      checks.push_back({.name = row.name, .kind = row.kind, .details = {}});
    GradientCheck& check = checks.back();
    const auto start = Clock::now();
    const GradcheckReport report = row.check(options);
    check.seconds += std::chrono::duration<double>(Clock::now() - start).count();
    check.verdict = std::max(check.verdict, report.verdict());
    for (const GradcheckInput& input : report.inputs) {
      check.elements += input.elements;
      check.worst_relative_error = std::max(check.worst_relative_error, input.worst_relative_error);
    }
    if (!report) check.details += fmt::format("{}, {}:\n{}", row.name, row.what, to_string(report));
    progress(static_cast<double>(++done) / static_cast<double>(rows.size()));
  }
  return checks;
}

bool none_wrong(const std::vector<GradientCheck>& checks) {
  return std::none_of(checks.begin(), checks.end(),
                      [](const auto& check) { return check.verdict == Verdict::wrong; });
}

}  // namespace headwise::study
