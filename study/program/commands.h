// The commands of the headwise program. Each adds itself to the command line and says what running it does.
#pragma once

#include <functional>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace headwise::study {

/// Exit codes: 0 done, 1 the answer is no, 2 wrong usage or bad input.
using Command = std::function<int()>;

/// A check of options that take a seed: why it is refused, if it is. A negative one would be read as a large
/// one.
inline std::string refuse_negative(const std::string& text) {
  return text.starts_with('-') ? fmt::format("a seed is 0 or more, got {}", text) : std::string();
}

Command add_gradcheck_command(CLI::App& program);
Command add_study_command(CLI::App& program);
Command add_tasks_command(CLI::App& program);

}  // namespace headwise::study
