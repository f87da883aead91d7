// The table of ops: what each is tried on, and what each must refuse.
#pragma once

#include "tests/support/central_difference.h"

namespace headwise::testing {

/// A function of f64 inputs that exercises one op, away from its kinks.
struct OpCase {
  std::string op;  // a name from op_names
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

std::vector<OpCase> op_cases();
std::vector<ErrorCase> error_cases();

}  // namespace headwise::testing
