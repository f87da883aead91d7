// A study as text for a terminal.
#pragma once

#include <string>

#include "headwise/study/study.h"

namespace headwise::study {

/// Every start: loss, judged metrics, each head's relation scores, which head took which role. Below each arm
/// the mean, the spread and how often head 0 took the first relation.
std::string study_table(const Study& study);

/// The first sentence as the first start of each arm reads it: words and weights, a bar per head.
std::string sentence_table(const Study& study, size_t sentence = 0);

}  // namespace headwise::study
