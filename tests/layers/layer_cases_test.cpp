// Every layer, by table: first and second derivatives, completeness.
#include <algorithm>
#include <set>

#include "headwise/layers/cases/cases.h"
#include "headwise/layers/gradcheck.h"
#include "tests/support/source_tree.h"
#include "tests/support/tensors.h"

namespace headwise::testing {

TEST_CASE("every layer has a row, and every parameter one whose output depends on it", "[layer_cases]") {
  const auto classes = names_in_headers("layers", std::regex("^class (\\w+) (?:final )?: public Module"));
  CHECK(classes.size() >= 5);
  const auto rows = cases::layer_cases();
  for (const std::string& name : classes) {
    CAPTURE(name);
    CHECK(std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row.layer == name; }));
  }
  std::set<std::string> parameters, used;
  for (const auto& row : rows) {
    INFO(row.layer << ": " << row.what);
    CHECK(classes.contains(row.layer));
    CHECK_FALSE(row.module->training());
    const auto report = gradcheck(row.function, *row.module, row.inputs, {.mode = GradcheckMode::directions});
    const size_t count = row.module->named_parameters().size();
    REQUIRE(report.inputs.size() >= count);
    for (size_t i = 0; i < count; ++i) {
      const std::string name = fmt::format("{}.{}", row.layer, report.inputs[i].name);
      parameters.insert(name);
      if (report.inputs[i].note.find("does not depend") == std::string::npos) used.insert(name);
    }
  }
  CHECK(used == parameters);
}

TEST_CASE("gradients of layers are right", "[layer_cases][gradcheck]") {
  for (const auto& row : cases::layer_cases()) {
    const GradcheckReport report = gradcheck(row.function, *row.module, row.inputs);
    INFO(row.layer << ": " << row.what << "\n" << to_string(report));
    CHECK(report.verdict() == Verdict::right);
  }
}

TEST_CASE("second derivatives of layers are right", "[layer_cases][gradcheck]") {
  for (const auto& row : cases::layer_cases()) {
    const GradcheckReport report =
        gradgradcheck(row.function, *row.module, row.inputs, {.mode = GradcheckMode::directions});
    INFO(row.layer << ": " << row.what << "\n" << to_string(report));
    CHECK(report.verdict() == Verdict::right);
  }
}

TEST_CASE("another seed draws other parameters and inputs", "[layer_cases]") {
  const auto one = cases::layer_cases(1), other = cases::layer_cases(2);
  REQUIRE(one.size() == other.size());
  for (size_t i = 0; i < one.size(); ++i) {
    INFO(one[i].layer << ": " << one[i].what);
    const auto a = one[i].module->state_dict(), b = other[i].module->state_dict();
    for (size_t p = 0; p < a.size(); ++p) CHECK_FALSE(same_bits(a[p].second, b[p].second));
    for (size_t k = 0; k < one[i].inputs.size(); ++k)
      if (one[i].inputs[k].dtype() == f64) CHECK_FALSE(same_bits(one[i].inputs[k], other[i].inputs[k]));
  }
}

}  // namespace headwise::testing
