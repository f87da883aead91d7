// What the sources themselves say, for tests of completeness.
#pragma once

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>

namespace headwise::testing {

/// The first group of every match of `pattern`, which sees one line at a time, in the headers of a folder.
inline std::set<std::string> names_in_headers(const std::string& folder, const std::regex& pattern) {
  std::set<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(HEADWISE_SOURCES) + "/" + folder)) {
    if (entry.path().extension() != ".h") continue;
    std::ifstream file(entry.path());
    std::smatch match;
    for (std::string line; std::getline(file, line);)
      if (std::regex_search(line, match, pattern)) names.insert(match[1]);
  }
  return names;
}

}  // namespace headwise::testing
