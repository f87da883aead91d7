// Functions of random shapes and values under every mode, in both orders: no right gradient is called wrong,
// and no wrong one right.
#include "headwise/autograd/gradcheck.h"
#include "headwise/autograd/record.h"
#include "tests/autograd/random_functions.h"

namespace headwise::testing {
namespace {

using Checker = GradcheckReport (&)(const TensorFunction&, const std::vector<Tensor>&,
                                    const GradcheckOptions&);

struct Count {
  int checks = 0, right = 0, too_little_precision = 0, not_differentiable = 0, not_deterministic = 0,
      wrong = 0;

  std::string text() const {
    return fmt::format(
        "{} checks: {} right, {} too little precision, {} not differentiable, {} not "
        "deterministic, {} wrong",
        checks, right, too_little_precision, not_differentiable, not_deterministic, wrong);
  }
  void add(Verdict verdict) {
    ++checks;
    right += verdict == Verdict::right;
    too_little_precision += verdict == Verdict::too_little_precision;
    not_differentiable += verdict == Verdict::not_differentiable;
    not_deterministic += verdict == Verdict::not_deterministic;
    wrong += verdict == Verdict::wrong;
  }
};

constexpr GradcheckMode modes[] = {GradcheckMode::full, GradcheckMode::directions, GradcheckMode::taylor};

Count count_verdicts(Checker check, uint64_t first, uint64_t checks) {
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
  WARN(count.text());
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

// The same function, whose gradient by one element of its first input is 1 % too large.
TensorFunction spoilt(const RandomFunction& random, int64_t element) {
  return [=](const Args& x) {
    Tensor factors = ones(x[0].shape(), f64);
    factors.mutable_values<double>()[static_cast<size_t>(element)] = 1.01;
    Tensor same = x[0].detach().clone();
    Args at = x;
    at[0] = record("identity", same, inputs(x[0]), saves(factors),
                   [](Vjp& v, const Tensor& factor) { v.give(0, v.cotangent() * factor); });
    return random.function(at);
  };
}

// The element of the first input whose gradient is largest, -1 when all are zero.
int64_t most_felt(const RandomFunction& random) {
  const Tensor output = random.function(random.inputs);
  Rng rng(1);
  const auto slopes = values(vjp(random.function, random.inputs, randn(output.shape(), rng, f64))[0]);
  const auto less = [](double a, double b) { return std::abs(a) < std::abs(b); };
  const auto found = std::max_element(slopes.begin(), slopes.end(), less);
  return found == slopes.end() || std::abs(*found) < 1e-9 ? -1 : found - slopes.begin();
}

Count count_spoilt(uint64_t first, uint64_t checks) {
  Count count;
  for (uint64_t seed = first; seed < first + checks; ++seed) {
    const RandomFunction random = random_function(seed);
    const int64_t element = most_felt(random);
    if (element < 0) continue;
    const auto report = gradcheck(spoilt(random, element), random.inputs,
                                  {.mode = modes[seed % std::size(modes)], .seed = seed});
    INFO(random.what << ", seed " << seed << "\n" << to_string(report));
    count.add(report.inputs[0].verdict);
    CHECK(report.inputs[0].verdict != Verdict::right);
  }
  WARN(count.text());
  return count;
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

TEST_CASE("an error of 1 % in one element is never called right over random shapes", "[gradcheck]") {
  const Count count = count_spoilt(0, 400);
  CHECK(count.checks > 340);
  CHECK(count.right == 0);
  CHECK(count.wrong >= count.checks - untold);
}

// By hand: a search for what the cases above do not meet.
TEST_CASE("no right gradient is called wrong over very many random shapes", "[.soak]") {
  count_verdicts(gradcheck, 10000, 50000);
}
TEST_CASE("no right second derivative is called wrong over very many random shapes", "[.soak]") {
  count_verdicts(gradgradcheck, 10000, 20000);
}
TEST_CASE("an error of 1 % in one element is never called right over very many random shapes", "[.soak]") {
  count_spoilt(10000, 20000);
}

}  // namespace headwise::testing
