#include "tests/autograd/error_cases.h"

namespace headwise::testing {

std::vector<ErrorCase> error_cases() {
  std::vector<ErrorCase> rows;
  for (const auto& family :
       {activations_errors(), arithmetic_errors(),  bounds_errors(),        math_errors(),
        power_errors(),       select_errors(),      reduce_errors(),        extremes_errors(),
        statistics_errors(),  vector_norm_errors(), cumulative_errors(),    order_errors(),
        softmax_errors(),     matmul_errors(),      views_errors(),         arrange_errors(),
        einsum_errors(),      indexing_errors(),    cross_entropy_errors(), losses_errors(),
        norm_errors(),        dropout_errors(),     attention_errors()})
    rows.insert(rows.end(), family.begin(), family.end());
  return rows;
}

}  // namespace headwise::testing
