#include <fmt/format.h>

#include "headwise/study/program/commands.h"
#include "headwise/study/task.h"

namespace headwise::study {

Command add_tasks_command(CLI::App& program) {
  CLI::App* command = program.add_subcommand("tasks", "List the tasks");
  command->footer("Example:\n  headwise tasks");
  return [] {
    for (const TaskEntry& entry : task_entries()) fmt::print("{:<26} {}\n", entry.name, entry.summary);
    return 0;
  };
}

}  // namespace headwise::study
