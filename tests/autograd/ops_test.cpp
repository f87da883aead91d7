// Every op, by table: first and second derivatives, refusals, completeness.
#include <algorithm>

#include "headwise/autograd/node.h"
#include "tests/autograd/error_cases.h"
#include "tests/support/source_tree.h"

namespace headwise::testing {
namespace {

// Functions of the ops' headers that have no derivative, or are the plain form or a part of an op that has.
const std::set<std::string> without_rows = {"all",
                                            "any",
                                            "argmax",
                                            "argmin",
                                            "argsort",
                                            "logical_and",
                                            "logical_or",
                                            "one_hot",
                                            "scalar_like",
                                            "sign",
                                            "attention_reference",
                                            "cross_entropy_reference",
                                            "layer_norm_reference",
                                            "sum_to"};

std::set<std::string> names_of_ops() {
  std::set<std::string> names(std::begin(op_names), std::end(op_names));
  names.insert(std::begin(cases::composed_names), std::end(cases::composed_names));
  return names;
}

// The names of all nodes behind a tensor.
std::set<std::string> recorded(const Tensor& result) {
  std::set<std::string> names;
  std::set<Node*> seen;
  std::vector<Node*> open;
  auto visit = [&](const Edge& edge) {
    if (edge && seen.insert(edge.node()).second) open.push_back(edge.node());
  };
  visit(result.edge());
  while (!open.empty()) {
    Node* node = open.back();
    open.pop_back();
    names.insert(node->name());
    for (const Edge& edge : node->edges()) visit(edge);
  }
  return names;
}

}  // namespace

TEST_CASE("every op has a row and an error row", "[ops]") {
  const auto rows = op_cases();
  const auto errors = error_cases();
  const auto names = names_of_ops();
  for (const std::string& name : names) {
    CAPTURE(name);
    auto named = [&](const auto& row) { return row.op == name; };
    CHECK(std::any_of(rows.begin(), rows.end(), named));
    CHECK(std::any_of(errors.begin(), errors.end(), named));
  }
  for (const auto& row : rows) CHECK(names.contains(row.op));
}

TEST_CASE("every function of the ops' headers is a name of the table", "[ops]") {
  const auto names = names_of_ops();
  const auto functions = names_in_headers(
      "autograd/ops", std::regex("^(?:Tensor|[A-Z]\\w+|std::vector<Tensor>) (\\w+)\\(const Tensor&"));
  CHECK(functions.size() > 60);
  for (const std::string& name : without_rows) CHECK(functions.contains(name));
  for (const std::string& name : functions) {
    CAPTURE(name);
    CHECK((names.contains(name) || without_rows.contains(name)));
  }
}

TEST_CASE("every op is recorded by a row of its name", "[ops]") {
  std::set<std::string> seen;
  for (const auto& row : op_cases()) {
    std::vector<Tensor> inputs;
    for (const Tensor& input : row.inputs)
      inputs.push_back(input.dtype() == f64 ? input.clone().set_requires_grad(true) : input);
    if (recorded(row.function(inputs)).contains(row.op)) seen.insert(row.op);
  }
  CHECK(seen == std::set<std::string>(std::begin(op_names), std::end(op_names)));
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
    const GradcheckReport report = gradgradcheck(row.function, row.inputs);
    INFO(row.op << ": " << row.what << "\n" << to_string(report));
    CHECK(report.verdict() == Verdict::right);
  }
}

TEST_CASE("another seed draws other values, none of them at a kink", "[ops][gradcheck]") {
  const auto first = op_cases(1);
  for (uint64_t seed = 2; seed <= 9; ++seed) {
    const auto rows = op_cases(seed);
    REQUIRE(rows.size() == first.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      INFO("seed " << seed << ", " << rows[i].op << ": " << rows[i].what);
      bool drawn = false;
      for (size_t k = 0; k < rows[i].inputs.size(); ++k)
        drawn = drawn || rows[i].inputs[k].numel() == 0 || !same_bits(rows[i].inputs[k], first[i].inputs[k]);
      CHECK(drawn);
      const Verdict verdict = gradcheck(rows[i].function, rows[i].inputs).verdict();
      CHECK(verdict == Verdict::right);
    }
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
