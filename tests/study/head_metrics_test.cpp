#include "headwise/study/head_metrics.h"

#include <algorithm>

#include "tests/support/tensors.h"

namespace headwise::testing {

using study::assign_rows;
using study::relation_scores;
using study::specialisation_index;

TEST_CASE("relation scores are mean weights on the relations' positions", "[study]") {
  // Two samples, two heads, three keys.
  const Tensor weights = from_values<double>(
      std::vector{1.0, 0.0, 0.0, 0.2, 0.3, 0.5, /* sample 1 */ 0.0, 0.5, 0.5, 0.0, 0.0, 1.0}, {2, 2, 3});
  const Tensor positions = from<int64_t>({{0, 2}, {1, 2}});
  const auto scores = relation_scores(weights, positions);
  REQUIRE(scores.size() == 2);
  CHECK(scores[0] == std::vector{(1.0 + 0.5) / 2, (0.0 + 0.5) / 2});
  CHECK(scores[1] == std::vector{(0.2 + 0.0) / 2, (0.5 + 1.0) / 2});
  check_error([&] { relation_scores(weights, from<int64_t>({{0, 3}, {1, 2}})); }, {"position 3", "3 keys"});
  check_error([&] { relation_scores(weights.slice(0, 0, 0), positions.slice(0, 0, 0)); }, {"no row"});
}

TEST_CASE("the assignment is the best of all permutations", "[study]") {
  Rng rng(3);
  for (int trial = 0; trial < 200; ++trial) {
    const size_t heads = 1 + static_cast<size_t>(rng.below(5)),
                 relations = 1 + static_cast<size_t>(rng.below(static_cast<int64_t>(heads)));
    std::vector<std::vector<double>> scores(heads, std::vector<double>(relations));
    for (auto& row : scores)
      for (double& x : row) x = rng.uniform();
    auto total = [&](const std::vector<int64_t>& choice) {
      double sum = 0;
      for (size_t r = 0; r < relations; ++r) sum += scores[static_cast<size_t>(choice[r])][r];
      return sum;
    };
    std::vector<int64_t> order(heads);
    for (size_t i = 0; i < heads; ++i) order[i] = static_cast<int64_t>(i);
    double best = 0;
    do best = std::max(best, total(order));
    while (std::next_permutation(order.begin(), order.end()));
    const auto assigned = assign_rows(scores);
    REQUIRE(assigned);
    auto sorted = *assigned;
    std::sort(sorted.begin(), sorted.end());
    CHECK(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
    CHECK(total(*assigned) == Approx(best).epsilon(1e-12));
  }
}

TEST_CASE("what is not defined is said to be", "[study]") {
  CHECK_FALSE(assign_rows({{0.4, 0.6}}));
  CHECK_FALSE(specialisation_index({{0.4, 0.6}}));
  CHECK_FALSE(specialisation_index({{0.9}}));
  CHECK(*specialisation_index({{0.9, 0.1}, {0.2, 0.8}}) ==
        Approx(((0.9 - 0.2) + (0.8 - 0.1)) / 2).epsilon(1e-12));
  CHECK(*specialisation_index({{0.5, 0.5}, {0.5, 0.5}}) == 0.0);
}

}  // namespace headwise::testing
