// Task two-relations-regression: two-relations with real-valued contents and a linear read-out, where the
// limit of one head is a theorem.
//
// A token is x_j E + C[case] with contents x_j from N(0, I_m). One head blends all contents with one weight
// per token, so the best linear read-out of relation r has the normalised error 1 - a_r^2 / sum_j a_j^2, and
// the two errors add up to at least 1. Two heads reach 0.
#pragma once

#include "headwise/study/task.h"

namespace headwise::study {

std::unique_ptr<Task> make_two_relations_regression(const TaskOptions& options);

}  // namespace headwise::study
