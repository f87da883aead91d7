// The checker checked: planted errors are found in every mode, right gradients are never called wrong, and
// what cannot be told is not told.
#include "headwise/autograd/gradcheck.h"

#include "tests/autograd/op_cases.h"

namespace headwise::testing {
namespace {

constexpr GradcheckMode modes[] = {GradcheckMode::full, GradcheckMode::directions, GradcheckMode::taylor};

// The value of one function with the gradient of another.
Tensor planted(const Tensor& value, const Tensor& gradient) {
  return value.detach() + (gradient - gradient.detach());
}

Verdict verdict_of(const TensorFunction& f, const std::vector<Tensor>& inputs,
                   GradcheckMode mode = GradcheckMode::full) {
  const GradcheckReport report = gradcheck(f, inputs, {.mode = mode});
  INFO(to_string(report));
  return report.verdict();
}

void check_all_modes(const TensorFunction& f, const std::vector<Tensor>& inputs, Verdict expected) {
  for (const GradcheckMode mode : modes) {
    CAPTURE(static_cast<int>(mode));
    CHECK(verdict_of(f, inputs, mode) == expected);
  }
}

}  // namespace

TEST_CASE("right gradients are right in every mode", "[gradcheck]") {
  check_all_modes([](const Args& x) { return x[0] * x[0] + x[1]; }, {normal({2, 3}, 1), normal({3}, 2)},
                  Verdict::right);
  check_all_modes([](const Args& x) { return softmax(x[0], -1); }, {normal({3, 4}, 3)}, Verdict::right);
  check_all_modes([](const Args& x) { return sum(x[0]); }, {normal({4}, 4)}, Verdict::right);
  check_all_modes([](const Args& x) { return x[0] * 2.0; }, {normal({2}, 5), normal({2}, 6)}, Verdict::right);
}

TEST_CASE("a planted error is found in every mode", "[gradcheck]") {
  const Args input{normal({2, 3}, 1)};
  auto square = [](const Tensor& x) { return x * x; };
  check_all_modes([&](const Args& x) { return planted(square(x[0]), square(x[0]) * 1.01); }, input,
                  Verdict::wrong);
  check_all_modes([&](const Args& x) { return planted(square(x[0]), -square(x[0])); }, input, Verdict::wrong);
  check_all_modes(
      [&](const Args& x) {
        const Tensor one = from({{1.0, 1.0, 1.0}, {1.0, 1.01, 1.0}});
        return planted(square(x[0]), square(x[0]) * one);
      },
      input, Verdict::wrong);
  // The gradient of the first row alone, where the sum over rows was due.
  check_all_modes(
      [](const Args& x) {
        return planted(x[0].expand({2, 3}) * 1.5, cat({x[0] * 1.5, x[0].detach() * 1.5}, 0));
      },
      {normal({1, 3}, 2)}, Verdict::wrong);
  check_all_modes([](const Args& x) { return planted(x[0], x[0].detach()); }, input, Verdict::wrong);
}

TEST_CASE("an error of 1e-9 in a gradient of 1e-8 is found", "[gradcheck]") {
  const TensorFunction f = [](const Args& x) { return planted(x[0] * 1e-8 + 1.0, x[0] * 1.1e-8); };
  CHECK(verdict_of(f, {normal({3}, 1)}) == Verdict::wrong);
  for (const GradcheckMode mode : modes) CHECK(verdict_of(f, {normal({3}, 1)}, mode) != Verdict::right);
}

TEST_CASE("kinks at the point and half a step beside it are not called wrong or right", "[gradcheck]") {
  for (const double offset : {0.0, 5e-4, -5e-4}) {
    CAPTURE(offset);
    const Tensor at = from({offset, 1.0});
    CHECK(verdict_of([](const Args& x) { return relu(x[0]); }, {at}) == Verdict::not_differentiable);
    CHECK(verdict_of([](const Args& x) { return abs(x[0]); }, {at}) == Verdict::not_differentiable);
    CHECK(verdict_of([](const Args& x) { return clamp(x[0], 0.0, 3.0); }, {at}) ==
          Verdict::not_differentiable);
    CHECK(verdict_of([](const Args& x) { return amax(x[0]); }, {from({2.0 + offset, 2.0, 1.0})}) ==
          Verdict::not_differentiable);
  }
  CHECK(verdict_of([](const Args& x) { return relu(x[0]); }, {from({0.1, -0.2})}) == Verdict::right);
  CHECK(verdict_of([](const Args& x) { return sqrt(x[0]); }, {from({0.0})}) == Verdict::not_differentiable);
}

TEST_CASE("what changes from call to call is not deterministic, and the generator stays", "[gradcheck]") {
  Rng rng(3);
  Rng before = rng;
  const auto report =
      gradcheck([&](const Args& x) { return dropout(x[0], 0.5, rng); }, {normal({20}, 1)}, {.random = &rng});
  CHECK(report.verdict() == Verdict::not_deterministic);
  CHECK_THAT(report.inputs[0].reason, Catch::Matchers::ContainsSubstring("two outputs"));
  CHECK(rng.bits() == before.bits());
}

TEST_CASE("f32 is not checked, and shared memory is told", "[gradcheck]") {
  const auto f = [](const Args& x) { return sum(x[0] * x[0]); };
  const auto single = gradcheck(f, {ones({3})});
  CHECK(single.verdict() == Verdict::too_little_precision);
  CHECK_THAT(single.inputs[0].reason, Catch::Matchers::ContainsSubstring("to(f64)"));
  const auto shared = gradcheck(f, {from({2.0}).expand({3})});
  CHECK(shared.verdict() == Verdict::right);
  CHECK_THAT(shared.inputs[0].note, Catch::Matchers::ContainsSubstring("share memory"));
}

TEST_CASE("a NaN gradient is wrong", "[gradcheck]") {
  const Tensor nan = full({}, NAN, f64);
  CHECK(verdict_of([&](const Args& x) { return planted(x[0], x[0] * nan).detach() * 0.0 + x[0] * nan * 0.0; },
                   {normal({2}, 1)}) != Verdict::right);
}

TEST_CASE("inputs, their gradients and the generator are left as they were when f throws", "[gradcheck]") {
  Tensor x = normal({3}, 1).set_requires_grad(true);
  backward(sum(x * x));
  const Tensor values_before = x.detach().clone(), gradient_before = x.grad().clone();
  Rng rng(5);
  Rng before = rng;
  int calls = 0;
  CHECK_THROWS_AS(gradcheck(
                      [&](const Args& at) {
                        rng.bits();
                        if (++calls > 7) fail("stop");
                        return at[0] * at[0];
                      },
                      {x}, {.random = &rng}),
                  Error);
  CHECK(same_bits(x.detach(), values_before));
  CHECK(same_bits(x.grad(), gradient_before));
  CHECK(rng.bits() == before.bits());
}

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

}  // namespace headwise::testing
