// The commands of the headwise program. Each adds itself to the command line and says what running it does.
#pragma once

#include <functional>

#include <CLI/CLI.hpp>

namespace headwise::study {

/// Exit codes: 0 done, 1 the answer is no, 2 wrong usage or bad input.
using Command = std::function<int()>;

Command add_gradcheck_command(CLI::App& program);
Command add_study_command(CLI::App& program);
Command add_tasks_command(CLI::App& program);

}  // namespace headwise::study
