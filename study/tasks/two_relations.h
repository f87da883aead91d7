// Task two-relations: a verb must report its subject and its object.
//
// A sentence holds eight nouns in free order. One is in the nominative (the subject), one in the accusative
// (the object), six in the oblique case. A noun has four attributes of four values each, read as words:
// "small old grey cat". The verb's output must name all eight attributes of its subject and its object.
#pragma once

#include "headwise/study/task.h"

namespace headwise::study {

std::unique_ptr<Task> make_two_relations(const TaskOptions& options);

}  // namespace headwise::study
