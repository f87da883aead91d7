#include "headwise/study/head_metrics.h"

#include <limits>

namespace headwise::study {

std::vector<std::vector<double>> relation_scores(const Tensor& weights, const Tensor& positions) {
  require(weights.rank() == 3 && positions.rank() == 2 && weights.size(0) == positions.size(0),
          "relation_scores: expected weights (B, h, S) and positions (B, R), got {} and {}", weights.shape(),
          positions.shape());
  const int64_t samples = weights.size(0), heads = weights.size(1), keys = weights.size(2),
                relations = positions.size(1);
  require(samples > 0, "relation_scores: no row to take the mean over");
  const std::vector<double> w = weights.detach().to(f64).to_vector<double>();
  const std::vector<int64_t> at = positions.to_vector<int64_t>();
  std::vector<std::vector<double>> scores(static_cast<size_t>(heads),
                                          std::vector<double>(static_cast<size_t>(relations)));
  for (int64_t b = 0; b < samples; ++b)
    for (int64_t r = 0; r < relations; ++r) {
      const int64_t position = at[static_cast<size_t>(b * relations + r)];
      require(position >= 0 && position < keys,
              "relation_scores: position {} of sample {} is not one of {} keys", position, b, keys);
      for (int64_t i = 0; i < heads; ++i)
        scores[static_cast<size_t>(i)][static_cast<size_t>(r)] +=
            w[static_cast<size_t>((b * heads + i) * keys + position)];
    }
  for (auto& row : scores)
    for (double& score : row) score /= static_cast<double>(samples);
  return scores;
}

// The shortest augmenting path, a relation at a time, with potentials that keep reduced costs non-negative.
std::optional<std::vector<int64_t>> assign_rows(const std::vector<std::vector<double>>& scores) {
  const size_t heads = scores.size(), relations = heads ? scores[0].size() : 0;
  if (heads < relations || heads == 0) return std::nullopt;
  constexpr size_t none = std::numeric_limits<size_t>::max();
  std::vector<double> relation_potential(relations + 1), head_potential(heads + 1);
  std::vector<size_t> relation_of(heads + 1, none);  // index `heads` holds the relation being placed
  for (size_t placed = 0; placed < relations; ++placed) {
    relation_of[heads] = placed;
    size_t current = heads;
    std::vector<double> distance(heads, std::numeric_limits<double>::infinity());
    std::vector<size_t> before(heads, heads);
    std::vector<bool> visited(heads + 1, false);
    while (relation_of[current] != none) {
      visited[current] = true;
      const size_t relation = relation_of[current];
      double shortest = std::numeric_limits<double>::infinity();
      size_t next = heads;
      for (size_t head = 0; head < heads; ++head) {
        if (visited[head]) continue;
        const double cost = -scores[head][relation] - relation_potential[relation] - head_potential[head];
        if (cost < distance[head]) {
          distance[head] = cost;
          before[head] = current;
        }
        if (distance[head] < shortest) {
          shortest = distance[head];
          next = head;
        }
      }
      for (size_t head = 0; head <= heads; ++head) {
        if (visited[head]) {
          relation_potential[relation_of[head]] += shortest;
          if (head < heads) head_potential[head] -= shortest;
        } else {
          distance[head] -= shortest;
        }
      }
      current = next;
    }
    while (current != heads) {
      relation_of[current] = relation_of[before[current]];
      current = before[current];
    }
  }
  std::vector<int64_t> assigned(relations);
  for (size_t head = 0; head < heads; ++head)
    if (relation_of[head] != none) assigned[relation_of[head]] = static_cast<int64_t>(head);
  return assigned;
}

std::optional<double> specialisation_index(const std::vector<std::vector<double>>& scores) {
  const auto assigned = assign_rows(scores);
  if (!assigned || scores.size() < 2 || assigned->empty()) return std::nullopt;
  double index = 0;
  for (size_t r = 0; r < assigned->size(); ++r) {
    const auto own = static_cast<size_t>((*assigned)[r]);
    double others = 0;
    for (size_t i = 0; i < scores.size(); ++i)
      if (i != own) others += scores[i][r];
    index += scores[own][r] - others / static_cast<double>(scores.size() - 1);
  }
  return index / static_cast<double>(assigned->size());
}

}  // namespace headwise::study
