// What a check of gradients found, as a table for a terminal and as JSON for programs.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "headwise/study/gradient_checks.h"

namespace headwise::study {

/// A line per name, and below them the reports of those that are not right.
std::string gradient_table(const std::vector<GradientCheck>& checks);

/// "78 ops and 5 layers: all right, 0.1 s", or how many are right and which are not.
std::string gradient_summary(const std::vector<GradientCheck>& checks);

/// A list of {name, kind, verdict, worst_relative_error, elements, seconds}; an infinite error is null.
nlohmann::ordered_json to_json(const std::vector<GradientCheck>& checks);

}  // namespace headwise::study
