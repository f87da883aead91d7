// What differences cannot tell is neither right nor wrong: waves shorter than the step, changes below
// rounding.
#include "headwise/autograd/gradcheck.h"
#include "tests/autograd/op_inputs.h"
#include "tests/support/planted.h"

namespace headwise::testing {
namespace {

constexpr GradcheckMode modes[] = {GradcheckMode::full, GradcheckMode::directions, GradcheckMode::taylor};

GradcheckInput checked(const TensorFunction& f, const Tensor& x, GradcheckMode mode = GradcheckMode::full) {
  GradcheckInput input = gradcheck(f, {x}, {.mode = mode}).inputs[0];
  INFO(input.reason << " " << input.note);
  return input;
}

}  // namespace

TEST_CASE("a gradient that is forgotten is not right where differences are lost in rounding", "[gradcheck]") {
  for (const GradcheckMode mode : modes) {
    CAPTURE(name_of(mode));
    for (const double offset : {1e11, 1e12}) {
      CAPTURE(offset);
      const auto forgotten =
          checked([=](const Args& x) { return x[0].detach() + offset; }, from({0.3, 0.7}), mode);
      CHECK(forgotten.verdict == Verdict::too_little_precision);
      CHECK(forgotten.note.empty());
    }
    const auto waves =
        checked([](const Args& x) { return sin(x[0].detach() * 8952.0); }, from({-0.028885}), mode);
    CHECK(waves.verdict != Verdict::right);
    // Where f stands still a zero is right, however large f.
    CHECK(checked([](const Args& x) { return x[0] * 0.0 + 1e12; }, from({0.3, 0.7}), mode).verdict ==
          Verdict::right);
  }
}

TEST_CASE("a zero gradient is never right for a wave, however short", "[gradcheck]") {
  int right = 0;
  for (const double frequency : {1e3, 3e3, 7e3, 2e4, 1e5})
    for (int k = 0; k < 40; ++k) {
      const auto f = [=](const Args& x) { return sin(x[0].detach() * frequency); };
      right += checked(f, from({0.01 * k + 0.003})).verdict == Verdict::right;
    }
  CHECK(right == 0);
}

TEST_CASE("a right gradient of waves shorter than the step is not wrong", "[gradcheck]") {
  for (const GradcheckMode mode : modes) {
    CAPTURE(name_of(mode));
    CHECK(checked([](const Args& x) { return sin(x[0]); }, from({1e5}), mode).verdict != Verdict::wrong);
    CHECK(checked([](const Args& x) { return x[0] + sin(x[0] * 1e5) * 1e-5; }, from({0.1}), mode).verdict !=
          Verdict::wrong);
  }
  int wrong = 0;
  for (int k = 0; k < 200; ++k)
    wrong +=
        checked([](const Args& x) { return sin(x[0]); }, from({1e4 + 4500.0 * k})).verdict == Verdict::wrong;
  CHECK(wrong == 0);
}

}  // namespace headwise::testing
