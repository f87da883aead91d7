// The checker checked: planted errors are found in every mode, right gradients are never called wrong, and
// what cannot be told is not told.
#include "headwise/autograd/gradcheck.h"

#include "headwise/autograd/record.h"
#include "tests/autograd/op_inputs.h"
#include "tests/support/planted.h"

namespace headwise::testing {
namespace {

constexpr GradcheckMode modes[] = {GradcheckMode::full, GradcheckMode::directions, GradcheckMode::taylor};

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

TEST_CASE("a vjp that reads a stale value is found in every mode", "[gradcheck]") {
  // x^2 whose vjp keeps x out of sight of the version check, and x has changed by then.
  const TensorFunction stale = [](const Args& at) {
    const Tensor x = at[0].detach();
    Tensor y = x * x, kept = x.clone();
    Tensor result = record("square", y, inputs(at[0]), saves(),
                           [kept](Vjp& v) { v.give(0, v.cotangent() * kept * 2.0); });
    const NoGrad guard;
    kept.mutable_values<double>()[1] *= 1.01;
    return result;
  };
  check_all_modes(stale, {normal({2, 3}, 1)}, Verdict::wrong);
}

TEST_CASE("an error of 1e-9 in a gradient of 1e-8 is found", "[gradcheck]") {
  const TensorFunction alone = [](const Args& x) { return planted(x[0] * 1e-8 + 1.0, x[0] * 1.1e-8); };
  const Tensor large = from({1.0, 1.0, 1e-8}), wrong = from({1.0, 1.0, 1.1e-8});
  const TensorFunction beside = [=](const Args& x) { return planted(x[0] * large, x[0] * wrong); };
  const TensorFunction below = [=](const Args& x) { return planted(sum(x[0] * large), sum(x[0] * wrong)); };
  for (const TensorFunction& f : {alone, beside, below}) {
    CHECK(verdict_of(f, {normal({3}, 1)}) == Verdict::wrong);
    for (const GradcheckMode mode : modes) CHECK(verdict_of(f, {normal({3}, 1)}, mode) != Verdict::right);
  }
  // Far below the rounding errors of f nothing can be said.
  check_all_modes([](const Args& x) { return planted(x[0] * 1e-8 + 1e6, x[0] * 1.1e-8); }, {normal({3}, 1)},
                  Verdict::too_little_precision);
}

TEST_CASE("kinks at the point and half a step beside it are neither wrong nor right", "[gradcheck]") {
  for (const double offset : {0.0, 5e-4, -5e-4}) {
    CAPTURE(offset);
    const Tensor at = from({offset, 1.0});
    constexpr Verdict kink = Verdict::not_differentiable;
    check_all_modes([](const Args& x) { return relu(x[0]); }, {at}, kink);
    check_all_modes([](const Args& x) { return abs(x[0]); }, {at}, kink);
    check_all_modes([](const Args& x) { return clamp(x[0], 0.0, 3.0); }, {at}, kink);
    check_all_modes([](const Args& x) { return clamp(x[0], -3.0, 0.0); }, {at}, kink);
    check_all_modes([](const Args& x) { return amax(x[0]); }, {from({2.0 + offset, 2.0, 1.0})}, kink);
    check_all_modes([](const Args& x) { return max(x[0], 0).values; }, {from({2.0 + offset, 2.0})}, kink);
    check_all_modes([](const Args& x) { return maximum(x[0], 0.0); }, {at}, kink);
  }
  check_all_modes([](const Args& x) { return relu(x[0]); }, {from({0.1, -0.2})}, Verdict::right);
}

TEST_CASE("cusps, ends and poles have no slope, powers above one have", "[gradcheck]") {
  const Tensor zero = from({0.0});
  constexpr Verdict none = Verdict::not_differentiable;
  check_all_modes([](const Args& x) { return sqrt(x[0]); }, {zero}, none);
  check_all_modes([](const Args& x) { return sign(x[0].detach()) * sqrt(abs(x[0])) + 1.0; }, {zero}, none);
  check_all_modes([](const Args& x) { return log(x[0]); }, {zero}, none);
  check_all_modes([](const Args& x) { return relu(x[0]) * relu(x[0]); }, {zero}, Verdict::right);
  check_all_modes([](const Args& x) { return abs(x[0]) * x[0]; }, {zero}, Verdict::right);
}

TEST_CASE("a gradient that is NaN is wrong, and one that is infinite", "[gradcheck]") {
  for (const double value :
       {static_cast<double>(NAN), static_cast<double>(INFINITY), -static_cast<double>(INFINITY)}) {
    const TensorFunction f = [value](const Args& at) {
      Tensor y = at[0].detach() * 2.0;
      return record("mul", y, inputs(at[0]), saves(), [value](Vjp& v) {
        const Tensor& cotangent = v.cotangent();
        v.give(0, where(cotangent == 0, cotangent, full(cotangent.shape(), value, f64)));
      });
    };
    check_all_modes(f, {normal({2}, 1)}, Verdict::wrong);
  }
}

TEST_CASE("a value that is not finite has no slope, and the report says where", "[gradcheck]") {
  const auto report = gradcheck([](const Args& x) { return log(x[0]); }, {from({1.0, 0.0})});
  CHECK(report.verdict() == Verdict::not_differentiable);
  CHECK_THAT(report.inputs[0].reason, Catch::Matchers::ContainsSubstring("-inf at element 1"));
}

TEST_CASE("a wrong second derivative behind a right gradient is found", "[gradcheck]") {
  // The gradient 2 x is right, but taken for a constant.
  const TensorFunction f = [](const Args& at) {
    Tensor y = at[0].detach() * at[0].detach();
    return record("square", y, inputs(at[0]), saves(at[0]),
                  [](Vjp& v, const Tensor& x) { v.give(0, v.cotangent() * x.detach() * 2.0); });
  };
  const Args input{normal({2, 2}, 1)};
  check_all_modes(f, input, Verdict::right);
  for (const GradcheckMode mode : modes) {
    const auto report = gradgradcheck(f, input, {.mode = mode, .names = {"x"}});
    INFO(to_string(report));
    REQUIRE(report.inputs.size() == 2);
    CHECK(report.inputs[0].verdict == Verdict::wrong);
    CHECK(report.inputs[1].name == "cotangent");
    CHECK(report.inputs[1].verdict == Verdict::right);
  }
  const auto report = gradgradcheck(f, input, {.names = {"x"}});
  CHECK_THAT(to_string(report), Catch::Matchers::ContainsSubstring("of the gradient of x"));
}

}  // namespace headwise::testing
