// Task conllu: verbs in real sentences must name their subject and their object.
//
// From treebank files in CoNLL-U. A verb with exactly one subject and one object attends over the words of
// its sentence; its attention output alone predicts the two words' forms, read out through the embedding
// itself, so that copying generalises to any word. Gold relations say which head reads what.
#pragma once

#include "headwise/study/task.h"

namespace headwise::study {

/// Reads options.train and options.dev; Error when either is missing or holds no such verb.
std::unique_ptr<Task> make_conllu_task(const TaskOptions& options);

}  // namespace headwise::study
