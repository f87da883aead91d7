// The commands of the headwise program. Each adds itself to the command line and says what running it does.
#pragma once

#include <functional>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace headwise::study {

/// Exit codes: 0 done, 1 the answer is no, 2 wrong usage or bad input.
using Command = std::function<int()>;

/// Why a text is not a seed; empty when it is one. Numbers that would be read as others are refused: negative
/// ones and those beyond 2^64 - 1 as large ones, those that start with 0 as octal.
std::string seed_fault(const std::string& text);

Command add_gradcheck_command(CLI::App& program);
Command add_study_command(CLI::App& program);
Command add_tasks_command(CLI::App& program);

}  // namespace headwise::study
