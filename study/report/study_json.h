// study.json: all figures of a study, for programs.
#pragma once

#include <filesystem>

#include <nlohmann/json.hpp>

#include "headwise/study/study.h"

namespace headwise::study {

/// The fields: task, relations, config (everything needed to repeat the run, version and compiler included),
/// arms; per arm its seeds with metrics, relation_scores (heads x relations) and roles (null where not
/// defined), and a summary over them.
nlohmann::ordered_json to_json(const Study& study);

/// Writes a file so that a reader sees the old contents or the new ones, never a part. Error names the path.
void write_file(const std::filesystem::path& path, const std::string& contents);

}  // namespace headwise::study
