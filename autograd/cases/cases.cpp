#include "headwise/autograd/cases/families.h"

namespace headwise::cases {

std::vector<OpCase> op_cases(uint64_t seed) {
  const std::pair<const char*, std::vector<OpCase> (*)(Rng&)> families[] = {
      {"activations", activations_cases},
      {"arithmetic", arithmetic_cases},
      {"bounds", bounds_cases},
      {"math", math_cases},
      {"power", power_cases},
      {"select", select_cases},
      {"reduce", reduce_cases},
      {"extremes", extremes_cases},
      {"statistics", statistics_cases},
      {"vector_norm", vector_norm_cases},
      {"cumulative", cumulative_cases},
      {"order", order_cases},
      {"softmax", softmax_cases},
      {"matmul", matmul_cases},
      {"views", views_cases},
      {"arrange", arrange_cases},
      {"einsum", einsum_cases},
      {"indexing", indexing_cases},
      {"cross_entropy", cross_entropy_cases},
      {"losses", losses_cases},
      {"norm", norm_cases},
      {"dropout", dropout_cases},
      {"attention", attention_cases},
  };
  std::vector<OpCase> rows;
  for (const auto& [name, rows_of] : families) {
    Rng rng = Rng(seed).derive(name);
    const auto family = rows_of(rng);
    rows.insert(rows.end(), family.begin(), family.end());
  }
  return rows;
}

}  // namespace headwise::cases
