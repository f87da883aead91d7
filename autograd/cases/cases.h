// The table of ops: each op with the functions and inputs that its gradient is checked on, by the tests and
// by `headwise gradcheck`. The rows of a family in ops/ are in the file of the same name here.
#pragma once

#include "headwise/autograd/gradcheck.h"
#include "headwise/autograd/op_names.h"

namespace headwise::cases {

/// Public functions that are made of recorded ops and have rows of their own all the same.
inline constexpr std::string_view composed_names[] = {
    "logsigmoid", "mean",  "prod", "var",    "stddev", "max",  "min",    "sort",  "topk",     "stack",
    "split",      "chunk", "roll", "repeat", "tril",   "triu", "einsum", "outer", "embedding"};

/// A function of f64 inputs that exercises one op, away from its kinks.
struct OpCase {
  std::string op;  // a name from op_names or composed_names
  std::string what;
  TensorFunction function;
  std::vector<Tensor> inputs;
};

/// Another seed draws other values for the same rows.
std::vector<OpCase> op_cases(uint64_t seed = 1);

}  // namespace headwise::cases
