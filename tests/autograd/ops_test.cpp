// Every op, by table: gradients against central differences, second derivatives, refusals, completeness.
#include <algorithm>

#include "headwise/autograd/op_names.h"
#include "tests/autograd/op_cases.h"

namespace headwise::testing {

TEST_CASE("every op has a gradient case and an error case", "[ops]") {
  const auto cases = op_cases();
  const auto errors = error_cases();
  std::vector<std::string_view> names(std::begin(op_names), std::end(op_names));
  names.insert(names.end(), std::begin(composed_names), std::end(composed_names));
  for (const std::string_view name : names) {
    CAPTURE(name);
    CHECK(std::any_of(cases.begin(), cases.end(), [&](const auto& row) { return row.op == name; }));
    CHECK(std::any_of(errors.begin(), errors.end(), [&](const auto& row) { return row.op == name; }));
  }
  for (const auto& row : cases) CHECK(std::count(names.begin(), names.end(), row.op) == 1);
}

TEST_CASE("gradients agree with central differences", "[ops]") {
  for (const auto& row : op_cases()) {
    INFO(row.op << ": " << row.what);
    CHECK(gradient_error(row.function, row.inputs) < 1e-7);
  }
}

TEST_CASE("second derivatives agree with central differences", "[ops]") {
  for (const auto& row : op_cases()) {
    INFO(row.op << ": " << row.what);
    CHECK(second_order_error(row.function, row.inputs) < 1e-7);
  }
}

TEST_CASE("bad input is refused with its op and values named", "[ops]") {
  for (const auto& row : error_cases()) {
    INFO(row.op << ": " << row.what);
    try {
      row.call();
      FAIL_CHECK("no Error was thrown");
    } catch (const Error& error) {
      for (const char* word : row.words) CHECK_THAT(error.what(), Catch::Matchers::ContainsSubstring(word));
    }
  }
}

}  // namespace headwise::testing
