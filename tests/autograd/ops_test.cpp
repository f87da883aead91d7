// Every op, by table: first and second derivatives, refusals, completeness.
#include <algorithm>

#include "tests/autograd/op_cases.h"

namespace headwise::testing {

TEST_CASE("every op has a row of first and of second order and an error row", "[ops]") {
  const auto cases = op_cases();
  const auto errors = error_cases();
  std::vector<std::string_view> names(std::begin(op_names), std::end(op_names));
  names.insert(names.end(), std::begin(cases::composed_names), std::end(cases::composed_names));
  for (const std::string_view name : names) {
    CAPTURE(name);
    auto named = [&](const auto& row) { return row.op == name; };
    CHECK(std::any_of(cases.begin(), cases.end(), named));
    CHECK(std::any_of(cases.begin(), cases.end(),
                      [&](const auto& row) { return named(row) && row.first_order_only.empty(); }));
    CHECK(std::any_of(errors.begin(), errors.end(), named));
  }
  for (const auto& row : cases) CHECK(std::count(names.begin(), names.end(), row.op) == 1);
}

TEST_CASE("gradients are right", "[ops][gradcheck]") {
  for (const auto& row : op_cases()) {
    const GradcheckReport report = gradcheck(row.function, row.inputs);
    INFO(row.op << ": " << row.what << "\n" << to_string(report));
    CHECK(report.verdict() == Verdict::right);
  }
}

TEST_CASE("second derivatives are right", "[ops][gradcheck]") {
  for (const auto& row : op_cases()) {
    if (!row.first_order_only.empty()) continue;
    const GradcheckReport report = gradgradcheck(row.function, row.inputs);
    INFO(row.op << ": " << row.what << "\n" << to_string(report));
    CHECK(report.verdict() != Verdict::wrong);
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
