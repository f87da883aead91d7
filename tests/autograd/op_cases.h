// The table of ops: what each is tried on, and what each must refuse. A family of ops in autograd/ops/ has
// its rows in the file of the same name in tests/autograd/ops/.
#pragma once

#include "tests/autograd/op_inputs.h"
#include "tests/support/central_difference.h"

namespace headwise::testing {

/// Public functions that are made of recorded ops and have rows of their own all the same.
inline constexpr std::string_view composed_names[] = {"stack", "split", "chunk",  "roll",  "repeat",
                                                      "tril",  "triu",  "einsum", "outer", "embedding"};

/// A function of f64 inputs that exercises one op, away from its kinks.
struct OpCase {
  std::string op;  // a name from op_names or composed_names
  std::string what;
  Function function;
  std::vector<Tensor> inputs;
};

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

std::vector<OpCase> op_cases();
std::vector<ErrorCase> error_cases();

std::vector<OpCase> activations_cases();
std::vector<ErrorCase> activations_errors();
std::vector<OpCase> arithmetic_cases();
std::vector<ErrorCase> arithmetic_errors();
std::vector<OpCase> bounds_cases();
std::vector<ErrorCase> bounds_errors();
std::vector<OpCase> math_cases();
std::vector<ErrorCase> math_errors();
std::vector<OpCase> power_cases();
std::vector<ErrorCase> power_errors();
std::vector<OpCase> select_cases();
std::vector<ErrorCase> select_errors();
std::vector<OpCase> reduce_cases();
std::vector<ErrorCase> reduce_errors();
std::vector<OpCase> extremes_cases();
std::vector<ErrorCase> extremes_errors();
std::vector<OpCase> statistics_cases();
std::vector<ErrorCase> statistics_errors();
std::vector<OpCase> vector_norm_cases();
std::vector<ErrorCase> vector_norm_errors();
std::vector<OpCase> cumulative_cases();
std::vector<ErrorCase> cumulative_errors();
std::vector<OpCase> order_cases();
std::vector<ErrorCase> order_errors();
std::vector<OpCase> softmax_cases();
std::vector<ErrorCase> softmax_errors();
std::vector<OpCase> matmul_cases();
std::vector<ErrorCase> matmul_errors();
std::vector<OpCase> views_cases();
std::vector<ErrorCase> views_errors();
std::vector<OpCase> arrange_cases();
std::vector<ErrorCase> arrange_errors();
std::vector<OpCase> einsum_cases();
std::vector<ErrorCase> einsum_errors();
std::vector<OpCase> indexing_cases();
std::vector<ErrorCase> indexing_errors();
std::vector<OpCase> cross_entropy_cases();
std::vector<ErrorCase> cross_entropy_errors();
std::vector<OpCase> losses_cases();
std::vector<ErrorCase> losses_errors();
std::vector<OpCase> norm_cases();
std::vector<ErrorCase> norm_errors();
std::vector<OpCase> dropout_cases();
std::vector<ErrorCase> dropout_errors();
std::vector<OpCase> attention_cases();
std::vector<ErrorCase> attention_errors();

}  // namespace headwise::testing
