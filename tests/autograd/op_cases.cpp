#include "tests/autograd/op_cases.h"

namespace headwise::testing {
namespace {

template <class Row>
std::vector<Row> joined(std::initializer_list<std::vector<Row>> families) {
  std::vector<Row> rows;
  for (const auto& family : families) rows.insert(rows.end(), family.begin(), family.end());
  return rows;
}

}  // namespace

std::vector<OpCase> op_cases() {
  return joined<OpCase>({activations_cases(), arithmetic_cases(),  bounds_cases(),        math_cases(),
                         power_cases(),       select_cases(),      reduce_cases(),        extremes_cases(),
                         statistics_cases(),  vector_norm_cases(), cumulative_cases(),    order_cases(),
                         softmax_cases(),     matmul_cases(),      views_cases(),         arrange_cases(),
                         einsum_cases(),      indexing_cases(),    cross_entropy_cases(), losses_cases(),
                         norm_cases(),        dropout_cases(),     attention_cases()});
}

std::vector<ErrorCase> error_cases() {
  return joined<ErrorCase>(
      {activations_errors(), arithmetic_errors(),  bounds_errors(),        math_errors(),
       power_errors(),       select_errors(),      reduce_errors(),        extremes_errors(),
       statistics_errors(),  vector_norm_errors(), cumulative_errors(),    order_errors(),
       softmax_errors(),     matmul_errors(),      views_errors(),         arrange_errors(),
       einsum_errors(),      indexing_errors(),    cross_entropy_errors(), losses_errors(),
       norm_errors(),        dropout_errors(),     attention_errors()});
}

}  // namespace headwise::testing
