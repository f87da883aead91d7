// What a report holds, as text and as JSON.
#include <nlohmann/json.hpp>

#include "headwise/autograd/gradcheck.h"
#include "tests/autograd/op_inputs.h"
#include "tests/support/planted.h"

namespace headwise::testing {

TEST_CASE("a report names the element, both values and the tolerance, worst first", "[gradcheck]") {
  const Tensor factors = from({1.0, 1.5, 1.01});
  const auto report = gradcheck([&](const Args& x) { return planted(x[0] * 2.0, x[0] * 2.0 * factors); },
                                {normal({3}, 1)}, {.names = {"W_Q"}});
  REQUIRE(report.inputs.size() == 1);
  const GradcheckInput& input = report.inputs[0];
  CHECK(input.name == "W_Q");
  REQUIRE(input.worst.size() == 2);
  CHECK(input.worst[0].element == 1);
  CHECK(std::abs(input.worst[0].numeric - 2) < 1e-9);
  CHECK(input.worst[0].analytic == 3);
  CHECK(input.worst[1].element == 2);
  CHECK(std::abs(input.worst_relative_error - 1.0 / 3) < 1e-9);
  const std::string text = to_string(report);
  for (const char* word : {"W_Q [3]: wrong", "element 1 at [1]", "analytic 3", "tolerance"})
    CHECK_THAT(text, Catch::Matchers::ContainsSubstring(word));
}

TEST_CASE("the Taylor remainder falls with power 2 for a right gradient and 1 for a wrong one",
          "[gradcheck]") {
  auto order = [](double factor, double curvature) {
    const TensorFunction f = [=](const Args& x) {
      const Tensor curved = x[0] * x[0] * curvature;
      return planted(x[0] + curved, x[0] * factor + curved);
    };
    return gradcheck(f, {normal({3}, 1)}, {.mode = GradcheckMode::taylor}).inputs[0].observed_order;
  };
  CHECK(std::abs(order(1, 1) - 2) < 0.01);
  CHECK(std::abs(order(1.01, 1) - 1) < 0.01);
  CHECK(std::abs(order(-1, 1) - 1) < 0.01);
  CHECK(std::isnan(order(1, 0)));
  CHECK(std::abs(order(1.01, 0) - 1) < 0.01);
}

TEST_CASE("a report as JSON has its documented keys", "[gradcheck]") {
  const auto json = nlohmann::json::parse(to_json(gradcheck(
      [&](const Args& x) {
        return planted(x[0], x[0] * from({{1.0, 1.0, 1.0, 1.0}, {1.0, 1.0, 1.0, 2.0}}));
      },
      {normal({2, 4}, 1)}, {.names = {"W_\"Q\""}})));
  CHECK(json["verdict"] == "wrong");
  CHECK(json["mode"] == "full");
  REQUIRE(json["inputs"].size() == 1);
  const auto& input = json["inputs"][0];
  CHECK(input["name"] == "W_\"Q\"");
  CHECK(input["shape"] == std::vector{2, 4});
  CHECK(input["elements"] == 8);
  CHECK(input["worst_relative_error"].is_number());
  CHECK(input["observed_order"].is_null());
  CHECK(input["note"].is_string());
  REQUIRE(input["worst"].size() == 1);
  const auto& slope = input["worst"][0];
  CHECK(slope["element"] == 7);
  CHECK(slope["index"] == std::vector{1, 3});
  CHECK(slope["output"] == 7);
  CHECK(slope["output_index"] == std::vector{1, 3});
  CHECK(slope["analytic"] == 2);
  for (const char* key : {"numeric", "error", "tolerance", "relative_error"}) CHECK(slope[key].is_number());
}

TEST_CASE("a NaN in a report is null in its JSON, and a direction has no output", "[gradcheck]") {
  GradcheckReport report;
  report.mode = GradcheckMode::directions;
  GradcheckInput& input = report.inputs.emplace_back();
  input.verdict = Verdict::wrong;
  input.worst_relative_error = INFINITY;
  GradcheckSlope& slope = input.worst.emplace_back();
  slope.analytic = NAN;
  slope.gradient_of = "W_Q";
  const auto json = nlohmann::json::parse(to_json(report));
  CHECK(json["mode"] == "directions");
  CHECK(json["inputs"][0]["worst_relative_error"].is_null());
  const auto& parsed = json["inputs"][0]["worst"][0];
  CHECK(parsed["analytic"].is_null());
  CHECK(parsed["gradient_of"] == "W_Q");
  CHECK_FALSE(parsed.contains("output"));
}

TEST_CASE("a name that is not UTF-8 leaves the JSON valid", "[gradcheck]") {
  GradcheckReport report;
  report.inputs.emplace_back().name = "W\xff";
  CHECK(nlohmann::json::parse(to_json(report))["inputs"][0]["name"] == "W\xEF\xBF\xBD");
}

TEST_CASE("the Taylor remainder of a linear function has no order, also where the function is zero",
          "[gradcheck]") {
  const GradcheckOptions options{.mode = GradcheckMode::taylor};
  auto check_linear = [&](const TensorFunction& f, const Args& inputs) {
    const auto report = gradcheck(f, inputs, options);
    INFO(to_string(report));
    CHECK(report.verdict() == Verdict::right);
    for (const GradcheckInput& input : report.inputs) CHECK(std::isnan(input.observed_order));
  };
  for (const double factor : {0.1, 0.7, 3.0})
    check_linear([=](const Args& x) { return x[0] * factor; }, {zeros({3}, f64)});
  check_linear([](const Args& x) { return x[0] - x[1]; }, {from({0.3, 0.7}), from({0.3, 0.7})});
  check_linear([](const Args& x) { return matmul(x[0], x[1]) + x[2]; },
               {zeros({2, 3}, f64), normal({3, 3}, 1), zeros({3}, f64)});
}

TEST_CASE("a report prints through fmt", "[gradcheck]") {
  const auto report = gradcheck([](const Args& x) { return x[0] * x[0]; }, {normal({2}, 1)},
                                {.mode = GradcheckMode::taylor, .names = {"x"}});
  const std::string text = fmt::format("{}", report);
  CHECK(text == to_string(report));
  for (const char* word : {"x [2]: right", "4 directions", "order 2.00"})
    CHECK_THAT(text, Catch::Matchers::ContainsSubstring(word));
}

}  // namespace headwise::testing
