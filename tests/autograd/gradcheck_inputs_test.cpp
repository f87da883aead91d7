// What the checker is given, and how it leaves it: odd inputs, functions that break the rules.
#include "headwise/autograd/gradcheck.h"
#include "headwise/autograd/record.h"
#include "tests/autograd/op_inputs.h"

namespace headwise::testing {

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

TEST_CASE("the refusal of f32 names a step that would suit the input", "[gradcheck]") {
  const auto f = [](const Args& x) { return sum(x[0]); };
  CHECK_THAT(gradcheck(f, {ones({3})}).inputs[0].reason, Catch::Matchers::ContainsSubstring("7.1e-03"));
  CHECK_THAT(gradcheck(f, {ones({3}) * -10.0}).inputs[0].reason,
             Catch::Matchers::ContainsSubstring("7.1e-02"));
}

TEST_CASE("inputs that share memory are told, and checked on their own", "[gradcheck]") {
  const Tensor x = normal({4}, 1);
  const auto product = [](const Args& at) { return at[0] * at[1]; };
  const auto overlapping = gradcheck(product, {x.slice(0, 0, 3), x.slice(0, 1, 4)}, {.names = {"a", "b"}});
  CHECK(overlapping.verdict() == Verdict::right);
  CHECK_THAT(overlapping.inputs[0].note, Catch::Matchers::ContainsSubstring("shares memory with b"));
  CHECK_THAT(overlapping.inputs[1].note, Catch::Matchers::ContainsSubstring("shares memory with a"));
  const auto apart = gradcheck(product, {x.slice(0, 0, 2), x.slice(0, 2, 4)});
  CHECK(apart.inputs[0].note.empty());
  const Tensor windows = alias(x, {3, 2}, {1, 1});
  CHECK_THAT(gradcheck([](const Args& at) { return at[0] * 2.0; }, {windows}).inputs[0].note,
             Catch::Matchers::ContainsSubstring("elements share memory"));
}

TEST_CASE("empty and scalar inputs and outputs are checked", "[gradcheck]") {
  for (const GradcheckMode mode : {GradcheckMode::full, GradcheckMode::directions, GradcheckMode::taylor}) {
    const GradcheckOptions options{.mode = mode};
    CHECK(gradcheck([](const Args& x) { return exp(x[0]); }, {normal({}, 1)}, options));
    CHECK(gradcheck([](const Args& x) { return x[0] * 2.0; }, {normal({0, 3}, 1)}, options));
    CHECK(
        gradcheck([](const Args& x) { return sum(x[0]) + x[1]; }, {normal({0}, 1), normal({2}, 2)}, options));
    CHECK(gradcheck([](const Args& x) { return x[0].slice(0, 0, 0); }, {normal({3}, 1)}, options));
    CHECK(gradgradcheck([](const Args& x) { return exp(x[0]); }, {normal({}, 1)}, options));
    CHECK(gradgradcheck([](const Args& x) { return x[0] * x[0]; }, {normal({0, 3}, 1)}, options));
  }
}

TEST_CASE("an input that the output does not depend on is right, and said to be so", "[gradcheck]") {
  const auto report = gradcheck([](const Args& x) { return x[0] * 2.0; }, {normal({2}, 1), normal({3}, 2)});
  CHECK(report.verdict() == Verdict::right);
  CHECK(report.inputs[0].note.empty());
  CHECK_THAT(report.inputs[1].note, Catch::Matchers::ContainsSubstring("does not depend"));
  CHECK(gradcheck([](const Args&) { return ones({2}, f64); }, {normal({2}, 1)}));
}

TEST_CASE("a gradient that never arrives is wrong, and said to be missing", "[gradcheck]") {
  const auto report =
      gradcheck([](const Args& x) { return x[0] * x[1].detach(); }, {normal({2}, 1), normal({2}, 2)});
  CHECK(report.inputs[0].verdict == Verdict::right);
  CHECK(report.inputs[1].verdict == Verdict::wrong);
  CHECK_THAT(report.inputs[1].reason, Catch::Matchers::ContainsSubstring("no gradient at all"));
}

TEST_CASE("a gradient of the wrong shape or dtype is wrong for its input alone", "[gradcheck]") {
  // a + b with b broadcast, whose vjp forgets to sum; or to convert.
  auto add = [](auto spoil) {
    return [spoil](const Args& at) {
      Tensor y = at[0].detach() + at[1].detach();
      return record("add", y, inputs(at[0], at[1]), saves(), [spoil](Vjp& v) {
        if (v.needs(0)) v.give(0, v.cotangent());
        if (v.needs(1)) v.give(1, spoil(v.cotangent()));
      });
    };
  };
  const Args inputs{normal({2, 3}, 1), normal({3}, 2)};
  const auto shape = gradcheck(add([](const Tensor& dy) { return dy; }), inputs);
  CHECK(shape.inputs[0].verdict == Verdict::right);
  CHECK(shape.inputs[1].verdict == Verdict::wrong);
  for (const char* word : {"[3]", "[2, 3]"})
    CHECK_THAT(shape.inputs[1].reason, Catch::Matchers::ContainsSubstring(word));
  const auto dtype = gradcheck(add([](const Tensor& dy) { return sum(dy, {0}).to(f32); }), inputs);
  CHECK(dtype.inputs[0].verdict == Verdict::right);
  CHECK(dtype.inputs[1].verdict == Verdict::wrong);
  for (const char* word : {"f32", "f64"})
    CHECK_THAT(dtype.inputs[1].reason, Catch::Matchers::ContainsSubstring(word));
}

TEST_CASE("a gradient that depends on layout is wrong", "[gradcheck]") {
  const TensorFunction f = [](const Args& at) {
    Tensor y = at[0].detach() * 2.0;
    const double factor = at[0].is_contiguous() ? 2.0 : 1.0;
    return record("mul", y, inputs(at[0]), saves(), [factor](Vjp& v) { v.give(0, v.cotangent() * factor); });
  };
  const auto report = gradcheck(f, {normal({2, 3}, 1)});
  CHECK(report.verdict() == Verdict::wrong);
  CHECK_THAT(report.inputs[0].reason, Catch::Matchers::ContainsSubstring("not contiguous"));
}

TEST_CASE("a zero cotangent must give a zero gradient", "[gradcheck]") {
  const TensorFunction f = [](const Args& at) {
    Tensor y = at[0].detach() * 2.0;
    return record("mul", y, inputs(at[0]), saves(), [](Vjp& v) { v.give(0, v.cotangent() * 2.0 + 1.0); });
  };
  const auto report = gradcheck(f, {normal({2}, 1)});
  CHECK(report.verdict() == Verdict::wrong);
  CHECK_THAT(report.inputs[0].reason, Catch::Matchers::ContainsSubstring("zero cotangent"));
}

TEST_CASE("a function that breaks the rules is refused, naming what it did", "[gradcheck]") {
  const Args input{normal({3}, 1)};
  check_error(
      [&] {
        gradcheck(
            [](const Args& x) {
              const NoGrad guard;
              Tensor(x[0].detach()).fill(0);
              return x[0] * 2.0;
            },
            input, {.names = {"weight"}});
      },
      {"weight", "[3]", "in place", "clone()"});
  check_error([&] { gradcheck([](const Args& x) { return x[0].to(f32); }, input); }, {"f64", "f32"});
  check_error([&] { gradcheck([](const Args&) { return Tensor(); }, input); }, {"f64", "undefined"});
  check_error([&] { gradcheck([](const Args& x) { return x[0]; }, {Tensor()}); }, {"input 0", "undefined"});
  check_error([&] { gradcheck([](const Args& x) { return x[0]; }, input, {.step = 0}); }, {"step", "0"});
}

TEST_CASE("where nothing could be checked gradcheck says so before it calls f", "[gradcheck]") {
  const TensorFunction never = [](const Args&) -> Tensor {
    FAIL("f was called");
    return {};
  };
  for (const auto check : {&headwise::gradcheck, &headwise::gradgradcheck}) {
    check_error([&] { check(never, {}, {}); }, {"0 inputs", "f64", "pass"});
    check_error([&] { check(never, {arange(3)}, {}); }, {"1 inputs", "f64", "pass"});
    check_error([&] { check({}, {normal({2}, 1)}, {}); }, {"f is an empty function"});
  }
}

TEST_CASE("an output that is undefined is refused at every order, also when it is recorded only",
          "[gradcheck]") {
  const Args input{normal({3}, 1)};
  const TensorFunction never = [](const Args&) { return Tensor(); };
  const TensorFunction unless_recorded = [](const Args& x) {
    return x[0].requires_grad() ? Tensor() : x[0] * 2.0;
  };
  for (const TensorFunction& f : {never, unless_recorded}) {
    check_error([&] { gradcheck(f, input); }, {"gradcheck", "f64", "undefined"});
    check_error([&] { gradgradcheck(f, input); }, {"gradcheck", "f64", "undefined"});
  }
}

TEST_CASE("the caller's NoGrad does not hide a gradient", "[gradcheck]") {
  const NoGrad guard;
  CHECK(gradcheck([](const Args& x) { return x[0] * x[0]; }, {normal({2}, 1)}));
  CHECK(gradgradcheck([](const Args& x) { return x[0] * x[0]; }, {normal({2}, 1)}));
}

}  // namespace headwise::testing
