// Backward passes that break down, or give another gradient, for some layouts or some of the inputs only.
#include "headwise/autograd/function.h"
#include "headwise/autograd/gradcheck.h"
#include "tests/autograd/op_inputs.h"

namespace headwise::testing {
namespace {

using Vjps = std::vector<Tensor>;

// The product of two inputs, with a backward pass of one's own.
TensorFunction product(const std::function<Vjps(const FunctionVjp&)>& vjp) {
  return Function{.name = "product",
                  .forward =
                      [](const auto& in) {
                        return FunctionForward{{in[0] * in[1]}, {in[0], in[1]}};
                      },
                  .vjp = vjp};
}

Vjps right_vjp(const FunctionVjp& v) { return {v.cotangents[0] * v.saved[1], v.cotangents[0] * v.saved[0]}; }

const Args matrices{normal({2, 3}, 1), normal({2, 3}, 2)};

void check_wrong(const GradcheckReport& report, const std::vector<std::string>& words) {
  REQUIRE(report.inputs.size() == 2);
  for (const GradcheckInput& input : report.inputs) {
    INFO(input.reason);
    CHECK(input.verdict == Verdict::wrong);
    for (const std::string& word : words) CHECK_THAT(input.reason, Catch::Matchers::ContainsSubstring(word));
  }
}

}  // namespace

TEST_CASE("a backward pass that fails on inputs that are not contiguous is wrong", "[gradcheck]") {
  const auto f = product([](const FunctionVjp& v) {
    v.saved[0].values<double>();
    return right_vjp(v);
  });
  check_wrong(gradcheck(f, matrices), {"backward failed", "not contiguous", "contiguous() first"});
}

TEST_CASE("a forward pass that refuses inputs that are not contiguous may", "[gradcheck]") {
  const TensorFunction f = [](const Args& x) { return x[0].view({6}) * x[1].view({6}); };
  CHECK(gradcheck(f, matrices));
}

TEST_CASE("a backward pass that fails on a cotangent that is not contiguous is wrong", "[gradcheck]") {
  const auto of_values = product([](const FunctionVjp& v) {
    v.cotangents[0].values<double>();
    return right_vjp(v);
  });
  check_wrong(gradcheck(of_values, matrices), {"backward failed", "cotangent", "contiguous() first"});
  check_wrong(gradcheck(of_values, {normal({3}, 1), normal({3}, 2)}), {"expanded from one element"});
  const auto of_view = product([](const FunctionVjp& v) {
    v.cotangents[0].view({-1});
    return right_vjp(v);
  });
  check_wrong(gradcheck(of_view, matrices), {"backward failed", "cotangent", "use reshape"});
}

TEST_CASE("a backward pass that fails when several gradients are wanted is wrong", "[gradcheck]") {
  const auto f = product([](const FunctionVjp& v) {
    if (v.needed[0] && v.needed[1]) fail("one at a time");
    return right_vjp(v);
  });
  check_wrong(gradcheck(f, matrices), {"all inputs", "one at a time"});
}

TEST_CASE("a backward pass that fails at the first order is wrong at the second", "[gradcheck]") {
  const auto f = product([](const FunctionVjp& v) { return Vjps{v.cotangents[0]}; });
  check_wrong(gradcheck(f, matrices), {"returned 1 gradients"});
  const auto report = gradgradcheck(f, matrices, {.names = {"a", "b"}});
  REQUIRE(report.inputs.size() == 3);
  CHECK(report.inputs[1].name == "b");
  CHECK(report.inputs[2].name == "cotangent");
  for (const GradcheckInput& input : report.inputs) {
    CHECK(input.verdict == Verdict::wrong);
    CHECK_THAT(input.reason, Catch::Matchers::ContainsSubstring("returned 1 gradients"));
  }
}

TEST_CASE("a gradient that depends on which others are wanted is wrong", "[gradcheck]") {
  const auto f = product([](const FunctionVjp& v) {
    Vjps gradients = right_vjp(v);
    if (!v.needed[0]) gradients[1] = v.cotangents[0] * v.saved[1];
    return gradients;
  });
  for (const GradcheckMode mode : {GradcheckMode::full, GradcheckMode::directions, GradcheckMode::taylor}) {
    const auto report = gradcheck(f, matrices, {.mode = mode});
    CHECK(report.inputs[0].verdict == Verdict::right);
    CHECK(report.inputs[1].verdict == Verdict::wrong);
    CHECK_THAT(report.inputs[1].reason, Catch::Matchers::ContainsSubstring("alone"));
  }
  // Zeros and no gradient are the same.
  const auto lazy = [](const Args& at) {
    return Function{.name = "second",
                    .forward = [](const auto& in) { return FunctionForward{{in[1] * 2.0}}; },
                    .vjp =
                        [](const FunctionVjp& v) {
                          const bool both = v.needed[0] && v.needed[1];
                          return Vjps{both ? v.cotangents[0] * 0.0 : Tensor(), v.cotangents[0] * 2.0};
                        }}(at);
  };
  CHECK(gradcheck(lazy, matrices));
}

}  // namespace headwise::testing
