#include <memory>

#include "headwise/study/program/commands.h"
#include "headwise/study/program/progress_bar.h"
#include "headwise/study/report/heat_map.h"
#include "headwise/study/report/study_json.h"
#include "headwise/study/report/table.h"

namespace headwise::study {
namespace {

// Options as they are typed; StudyConfig holds what they mean.
struct StudyArguments {
  StudyConfig config;
  std::vector<std::string> inits = {"random"};
  std::string keys = "all", out = "runs/study";
};

int run(StudyArguments arguments) {
  StudyConfig& config = arguments.config;
  config.inits.clear();
  for (const std::string& init : arguments.inits) config.inits.push_back(parse_init(init));
  config.task_options.keys_see_case_alone = arguments.keys == "case";

  ProgressBar bar(fmt::format("training {}", config.task));
  const Study study = run_study(config, [&](double done) { bar.update(done); });
  fmt::print("{}", study_table(study));
  for (size_t i = 0; i < study.arms.front().starts.front().shown.size(); ++i)
    fmt::print("{}", sentence_table(study, i));

  const std::filesystem::path folder = arguments.out;
  write_file(folder / "study.json", to_json(study).dump(2) + "\n");
  const int pictures = write_heat_maps(study, folder);
  fmt::print("\ndone: wrote {} and {} heat maps to {}\n", (folder / "study.json").string(), pictures,
             folder.string());
  return 0;
}

}  // namespace

Command add_study_command(CLI::App& program) {
  auto arguments = std::make_shared<StudyArguments>();
  StudyConfig& config = arguments->config;
  CLI::App* command =
      program.add_subcommand("study", "Train many random starts and say what each head learned");
  command->footer(
      "Example:\n  headwise study --task two-relations --heads 1,2,4 --d-model 32 --seeds 16 --out runs/two\n"
      "\nTrains every number of heads with every init (--heads and --init are crossed), prints a table, and "
      "writes\n"
      "study.json and heat maps of attention to the --out folder.");
  command->add_option("--task", config.task, "What to learn; `headwise tasks` lists the tasks")
      ->capture_default_str();
  command->add_option("--heads", config.heads, "Numbers of heads")->delimiter(',')->capture_default_str();
  command
      ->add_option("--init", arguments->inits,
                   "How heads start: random, tied (equal Q, K, V and O), tied-qkv")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--d-model", config.task_options.d_model, "Width of the model (default: the task's)");
  command->add_option("--batch", config.task_options.batch, "Samples per step (default: the task's)");
  command->add_option("--seeds", config.seeds, "Starts per arm")->capture_default_str();
  command->add_option("--tied-seeds", config.tied_seeds,
                      "Starts per arm with tied heads (default: as --seeds)");
  command->add_option("--seed", config.seed, "The number that all seeds are derived from")
      ->check(seed_fault)
      ->capture_default_str();
  command->add_option("--steps", config.steps, "Training steps (default: the task's)");
  command->add_option("--lr", config.lr, "Learning rate (default: the task's)");
  command->add_option("--jobs", config.jobs, "Starts trained side by side; 0: one per core")
      ->capture_default_str();
  command->add_option("--keys", arguments->keys, "two-relations-regression: what keys see")
      ->check(CLI::IsMember({"all", "case"}))
      ->capture_default_str();
  command
      ->add_option("--contents", config.task_options.contents, "two-relations-regression: numbers per token")
      ->capture_default_str();
  command->add_option("--train", config.task_options.train, "conllu: treebank to train on");
  command->add_option("--dev", config.task_options.dev, "conllu: treebank to evaluate on");
  command->add_option("--out", arguments->out, "Folder for study.json and the heat maps")
      ->capture_default_str();
  return [arguments] { return run(*arguments); };
}

}  // namespace headwise::study
