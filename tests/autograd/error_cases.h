// The table of refusals: what each op must not take. A family of ops in autograd/ops/ has its rows in the
// file of the same name in tests/autograd/ops/.
#pragma once

#include "tests/autograd/op_inputs.h"

namespace headwise::testing {

/// A call that must be refused, and words of the message.
struct ErrorCase {
  std::string op;
  std::string what;
  std::function<void()> call;
  std::vector<const char*> words;
};

/// Drops the result of a call that is made to be refused.
template <class F>
std::function<void()> call(F f) {
  return [f] { static_cast<void>(f()); };
}

std::vector<ErrorCase> error_cases();

std::vector<ErrorCase> activations_errors();
std::vector<ErrorCase> arithmetic_errors();
std::vector<ErrorCase> bounds_errors();
std::vector<ErrorCase> math_errors();
std::vector<ErrorCase> power_errors();
std::vector<ErrorCase> select_errors();
std::vector<ErrorCase> reduce_errors();
std::vector<ErrorCase> extremes_errors();
std::vector<ErrorCase> statistics_errors();
std::vector<ErrorCase> vector_norm_errors();
std::vector<ErrorCase> cumulative_errors();
std::vector<ErrorCase> order_errors();
std::vector<ErrorCase> softmax_errors();
std::vector<ErrorCase> matmul_errors();
std::vector<ErrorCase> views_errors();
std::vector<ErrorCase> arrange_errors();
std::vector<ErrorCase> einsum_errors();
std::vector<ErrorCase> indexing_errors();
std::vector<ErrorCase> cross_entropy_errors();
std::vector<ErrorCase> losses_errors();
std::vector<ErrorCase> norm_errors();
std::vector<ErrorCase> dropout_errors();
std::vector<ErrorCase> attention_errors();

}  // namespace headwise::testing
