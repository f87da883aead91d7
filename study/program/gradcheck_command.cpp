#include <algorithm>
#include <memory>

#include "headwise/study/program/commands.h"
#include "headwise/study/program/progress_bar.h"
#include "headwise/study/report/gradient_report.h"

namespace headwise::study {
namespace {

struct GradcheckArguments {
  GradientRowOptions rows;
  std::string mode = name_of(GradcheckMode::full);
  bool json = false;
};

constexpr GradcheckMode modes[] = {GradcheckMode::full, GradcheckMode::directions, GradcheckMode::taylor};

GradcheckMode mode_named(const std::string& name) {
  return *std::find_if(std::begin(modes), std::end(modes),
                       [&](GradcheckMode mode) { return name == name_of(mode); });
}

int run(const GradcheckArguments& arguments) {
  const std::vector<GradientRow> rows = gradient_rows(arguments.rows);
  ProgressBar bar("checking gradients");
  const std::vector<GradientCheck> checks =
      check_gradients(rows, {.mode = mode_named(arguments.mode), .seed = arguments.rows.seed},
                      [&](double done) { bar.update(done); });
  if (arguments.json) {
    fmt::print("{}\n", to_json(checks).dump(2));
    fmt::print(stderr, "{}\n", gradient_summary(checks));
  } else {
    fmt::print("{}\n{}\n", gradient_table(checks), gradient_summary(checks));
  }
  return none_wrong(checks) ? 0 : 1;
}

}  // namespace

Command add_gradcheck_command(CLI::App& program) {
  auto arguments = std::make_shared<GradcheckArguments>();
  CLI::App* command =
      program.add_subcommand("gradcheck", "Check the derivatives of every op and layer numerically");
  command->footer(
      "Example:\n  headwise gradcheck --op softmax --op matmul --layer Linear --second-order\n"
      "\nPrints a line per op or layer, over all of its rows: the worst verdict (right, "
      "too_little_precision,\n"
      "not_differentiable, not_deterministic, wrong), the worst |analytic - numeric| / max(|analytic|, "
      "|numeric|),\n"
      "how many elements were moved and the seconds that took. Exit code 0: none is wrong; 1: one is wrong;\n"
      "2: wrong usage.");
  command->add_option("--op", arguments->rows.ops, "An op to check; repeat it for more (default: everything)")
      ->allow_extra_args(false);
  command->add_option("--layer", arguments->rows.layers, "A layer to check, by its class; repeat it for more")
      ->allow_extra_args(false);
  command->add_flag("--second-order", arguments->rows.second_order,
                    "Check second derivatives in place of gradients");
  command->add_option("--seed", arguments->rows.seed, "Draws other inputs, parameters and directions")
      ->check(seed_fault)
      ->capture_default_str();
  command
      ->add_option(
          "--mode", arguments->mode,
          "full: every element; directions: slopes along random directions; taylor: how the remainder "
          "along them falls")
      ->check(CLI::IsMember({name_of(modes[0]), name_of(modes[1]), name_of(modes[2])}))
      ->capture_default_str();
  command->add_flag("--json", arguments->json,
                    "Print a list of {name, kind, verdict, worst_relative_error, elements, seconds} instead");
  return [arguments] { return run(*arguments); };
}

}  // namespace headwise::study
