// What heads do, measured: pure functions of attention weights.
#pragma once

#include <optional>
#include <vector>

#include "headwise/autograd/tensor.h"

namespace headwise::study {

/// rho[i][r]: the mean weight that head i puts on the position of relation r. weights (B, h, S), one row of
/// attention per sample and head; positions (B, R) of i64. Chance is 1 / S, or 1 / allowed keys. Error when B
/// is 0.
std::vector<std::vector<double>> relation_scores(const Tensor& weights, const Tensor& positions);

/// The assignment of one row to each column that makes the sum of the chosen entries largest, rows used at
/// most once (Kuhn 1955, Munkres 1957; O(R^2 h)). Not defined when there are fewer rows than columns.
std::optional<std::vector<int64_t>> assign_rows(const std::vector<std::vector<double>>& scores);

/// The mean over relations of (the score of the head assigned to it - the mean of the other heads' scores).
/// Not defined for fewer heads than relations or a single head.
std::optional<double> specialisation_index(const std::vector<std::vector<double>>& scores);

}  // namespace headwise::study
