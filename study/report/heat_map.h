// Attention as pictures: rows of coloured cells with their words, in SVG.
#pragma once

#include <string>
#include <vector>

#include "headwise/study/study.h"

namespace headwise::study {

struct HeatMapRow {
  std::string label;
  std::vector<double> weights;  // from 0 to 1, one per word
};

/// A heat map with a column per word and a row per entry; a word's parts, divided by blanks, are stacked.
/// Every cell shows its weight. Columns at `marked` positions carry a mark of their own.
std::string heat_map_svg(const std::string& title, const std::vector<std::string>& words,
                         const std::vector<HeatMapRow>& rows, const std::vector<std::string>& marks);

/// Writes a picture per arm, head and sentence, from the first start of each arm, into `folder`, and one per
/// sentence with the heads of all arms, named attention_sentence1.svg and so on. Returns how many.
int write_heat_maps(const Study& study, const std::filesystem::path& folder);

}  // namespace headwise::study
