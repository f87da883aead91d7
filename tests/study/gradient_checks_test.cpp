// The checks behind `headwise gradcheck`: rows by name, what they come to, reports.
#include "headwise/study/gradient_checks.h"

#include "headwise/autograd/record.h"
#include "headwise/study/report/gradient_report.h"
#include "tests/support/tensors.h"

namespace headwise::testing {

using namespace study;

namespace {

// x^2 with a gradient that is `factor` times the right one.
GradientRow square_row(const char* what, double factor) {
  return {"square", "op", what, [factor](const GradcheckOptions& options) {
            return gradcheck(
                [factor](const std::vector<Tensor>& x) {
                  Tensor y = square(x[0].detach());
                  return record("square", y, inputs(x[0]), saves(x[0]),
                                [factor](Vjp& v, const Tensor& input) {
                                  v.give(0, v.cotangent() * input * (2 * factor));
                                });
                },
                {from({0.5, -2.0, 3.0})}, options);
          }};
}

std::vector<GradientCheck> check(const std::vector<GradientRow>& rows) {
  return check_gradients(rows, {}, [](double) {});
}

std::vector<std::string> names_of(const std::vector<GradientRow>& rows) {
  std::vector<std::string> names;
  for (const GradientRow& row : rows)
    if (names.empty() || names.back() != row.name) names.push_back(row.name);
  return names;
}

}  // namespace

TEST_CASE("a wrong row makes its name wrong, and the report shows it", "[gradient_checks]") {
  const auto checks = check({square_row("right", 1), square_row("one percent off", 1.01)});
  REQUIRE(checks.size() == 1);
  CHECK(checks[0].verdict == Verdict::wrong);
  CHECK(checks[0].elements == 6);
  CHECK(std::abs(checks[0].worst_relative_error - 0.01 / 1.01) < 1e-9);
  CHECK_FALSE(none_wrong(checks));
  const std::string table = gradient_table(checks);
  for (const char* words : {"square", "wrong", "square, one percent off:\n", "analytic"})
    CHECK_THAT(table, Catch::Matchers::ContainsSubstring(words));
  CHECK_THAT(table, !Catch::Matchers::ContainsSubstring("square, right"));
  CHECK_THAT(gradient_summary(checks), Catch::Matchers::StartsWith("1 op: 0 right, square wrong, "));
  CHECK(to_json(checks)[0]["verdict"] == "wrong");
}

TEST_CASE("right rows of one name are one right line", "[gradient_checks]") {
  const auto checks = check({square_row("once", 1), square_row("again", 1)});
  REQUIRE(checks.size() == 1);
  CHECK(none_wrong(checks));
  CHECK(checks[0].details.empty());
  CHECK_THAT(gradient_summary(checks), Catch::Matchers::StartsWith("1 op: all right, "));
}

TEST_CASE("an error that is not a number is null in JSON", "[gradient_checks]") {
  const auto checks = check({square_row("not a number", NAN), square_row("right", 1)});
  CHECK(checks[0].verdict == Verdict::wrong);
  const auto list = nlohmann::json::parse(to_json(checks).dump());
  CHECK(list[0]["worst_relative_error"].is_null());
}

TEST_CASE("a kink is reported and is not wrong", "[gradient_checks]") {
  const GradientRow kink{"relu", "op", "at 0", [](const GradcheckOptions& options) {
                           return gradcheck([](const auto& x) { return relu(x[0]); }, {from({0.0})}, options);
                         }};
  const auto checks = check({kink});
  CHECK(none_wrong(checks));
  CHECK(to_json(checks)[0]["verdict"] == "not_differentiable");
  CHECK_THAT(gradient_summary(checks),
             Catch::Matchers::StartsWith("1 op: 0 right, relu not_differentiable, "));
}

TEST_CASE("rows are chosen by op and by layer", "[gradient_checks]") {
  CHECK(names_of(gradient_rows({.ops = {"softmax", "exp"}})) == std::vector<std::string>{"exp", "softmax"});
  CHECK(names_of(gradient_rows({.layers = {"Linear"}})) == std::vector<std::string>{"Linear"});
  CHECK(names_of(gradient_rows({.ops = {"linear"}, .layers = {"Linear"}})) ==
        std::vector<std::string>{"linear", "Linear"});
  const auto everything = names_of(gradient_rows({}));
  CHECK(everything.front() == "abs");
  CHECK(everything.back() == "MultiHeadAttention");
}

TEST_CASE("an unknown name is refused with the known ones", "[gradient_checks]") {
  check_error(
      [] {
        gradient_rows({.ops = {"exp", "sofmax"}});
      },
      {"no op 'sofmax'", "softmax", "zero_safe_mul"});
  check_error([] { gradient_rows({.layers = {"linear"}}); }, {"no layer 'linear'", "Linear", "Dropout"});
}

TEST_CASE("progress rises to 1", "[gradient_checks]") {
  std::vector<double> shares;
  check_gradients({square_row("once", 1), square_row("again", 1)}, {},
                  [&](double share) { shares.push_back(share); });
  CHECK(shares == std::vector<double>{0.5, 1});
}

}  // namespace headwise::testing
