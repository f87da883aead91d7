// No right gradient is called wrong: functions of random shapes and values under every mode, in both orders.
#include "headwise/autograd/gradcheck.h"
#include "tests/autograd/random_functions.h"

namespace headwise::testing {
namespace {

using Checker = GradcheckReport (&)(const TensorFunction&, const std::vector<Tensor>&,
                                    const GradcheckOptions&);

struct Count {
  int checks = 0, right = 0, too_little_precision = 0, not_differentiable = 0, not_deterministic = 0,
      wrong = 0;

  void add(Verdict verdict) {
    ++checks;
    right += verdict == Verdict::right;
    too_little_precision += verdict == Verdict::too_little_precision;
    not_differentiable += verdict == Verdict::not_differentiable;
    not_deterministic += verdict == Verdict::not_deterministic;
    wrong += verdict == Verdict::wrong;
  }
};

Count count_verdicts(Checker check, uint64_t first, uint64_t checks) {
  constexpr GradcheckMode modes[] = {GradcheckMode::full, GradcheckMode::directions, GradcheckMode::taylor};
  Count count;
  for (uint64_t seed = first; seed < first + checks; ++seed) {
    const RandomFunction random = random_function(seed);
    const auto report =
        check(random.function, random.inputs, {.mode = modes[seed % std::size(modes)], .seed = seed});
    INFO(random.what << ", seed " << seed << "\n" << to_string(report));
    count.add(report.verdict());
    CHECK(report.verdict() != Verdict::wrong);
    CHECK_NOFAIL(report.verdict() == Verdict::right);
  }
  WARN(
      fmt::format("{} checks: {} right, {} too little precision, {} not differentiable, {} not "
                  "deterministic, {} wrong",
                  count.checks, count.right, count.too_little_precision, count.not_differentiable,
                  count.not_deterministic, count.wrong));
  return count;
}

// What cannot be told are slopes in tails, beside others a billion times larger.
constexpr int untold = 5;

void check_count(Checker check, uint64_t first, uint64_t checks) {
  const Count count = count_verdicts(check, first, checks);
  CHECK(count.wrong == 0);
  CHECK(count.not_deterministic == 0);
  CHECK(count.right >= count.checks - untold);
}

}  // namespace

TEST_CASE("no right gradient is called wrong over random shapes, part 1", "[gradcheck]") {
  check_count(gradcheck, 0, 400);
}
TEST_CASE("no right gradient is called wrong over random shapes, part 2", "[gradcheck]") {
  check_count(gradcheck, 400, 400);
}
TEST_CASE("no right gradient is called wrong over random shapes, part 3", "[gradcheck]") {
  check_count(gradcheck, 800, 400);
}
TEST_CASE("no right second derivative is called wrong over random shapes", "[gradcheck]") {
  check_count(gradgradcheck, 0, 400);
}

// By hand: a search for what the cases above do not meet.
TEST_CASE("no right gradient is called wrong over very many random shapes", "[.soak]") {
  count_verdicts(gradcheck, 10000, 50000);
}
TEST_CASE("no right second derivative is called wrong over very many random shapes", "[.soak]") {
  count_verdicts(gradgradcheck, 10000, 20000);
}

}  // namespace headwise::testing
