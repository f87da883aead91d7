// Where a function has no derivative: the slope that docs/singular_points.md promises, in the fused and the
// composed form, and what gradcheck says there.
#include "tests/support/derivatives.h"

namespace headwise::testing {
namespace {

struct Kink {
  const char* name;
  UnaryTensorFunction f;
  Tensor at;
  Values value, slope;  // slope: the gradient of the sum
};

Tensor zeros3() { return zeros({3}, f64); }

std::vector<Kink> kinks() {
  const Tensor pair = from({2.0, 2.0, 1.0}), zero = from({0.0, 1.0}), ends = from({-1.0, 0.5, 1.0});
  return {
      {"relu at 0", relu, zero, {0, 1}, {0, 1}},
      {"maximum(x, 0) at 0", [](const Tensor& x) { return maximum(x, 0); }, zero, {0, 1}, {0.5, 1}},
      {"minimum(x, 0) at 0", [](const Tensor& x) { return minimum(x, 0); }, zero, {0, 0}, {0.5, 0}},
      {"abs at 0", abs, zero, {0, 1}, {0, 1}},
      {"clamp at both limits",
       [](const Tensor& x) { return clamp(x, -1, 1); },
       ends,
       {-1, 0.5, 1},
       {1, 1, 1}},
      {"maximum of equal operands",
       [](const Tensor& x) {
         return maximum(x, from({2.0, 1.0, 1.0}));
       },
       pair,
       {2, 2, 1},
       {0.5, 1, 0.5}},
      {"amax of a tie", [](const Tensor& x) { return amax(x); }, pair, {2}, {0.5, 0.5, 0}},
      {"amin of a tie", [](const Tensor& x) { return amin(-x); }, pair, {-2}, {-0.5, -0.5, 0}},
      {"max of a tie", [](const Tensor& x) { return max(x, 0).values; }, pair, {2}, {1, 0, 0}},
      {"min of a tie", [](const Tensor& x) { return min(-x, 0).values; }, pair, {-2}, {-1, 0, 0}},
      {"sort of a tie",
       [](const Tensor& x) {
         return sort(x, 0).values * from({1.0, 10.0, 100.0});
       },
       pair,
       {1, 20, 200},
       {10, 100, 1}},
      {"sort of a tie, descending",
       [](const Tensor& x) {
         return sort(x, 0, {.descending = true}).values * from({1.0, 10.0, 100.0});
       },
       pair,
       {2, 20, 100},
       {1, 10, 100}},
      {"topk of a tie", [](const Tensor& x) { return topk(x, 1, 0).values; }, pair, {2}, {1, 0, 0}},
      {"norm of the zero vector", [](const Tensor& x) { return norm(x); }, zeros3(), {0}, {0, 0, 0}},
      {"norm of the zero vector, p = 1",
       [](const Tensor& x) { return norm(x, {.p = 1}); },
       zeros3(),
       {0},
       {0, 0, 0}},
      {"norm of the zero vector, p = 3",
       [](const Tensor& x) { return norm(x, {.p = 3}); },
       zeros3(),
       {0},
       {0, 0, 0}},
      {"norm of a tie, p = infinity",
       [](const Tensor& x) { return norm(x, {.p = INFINITY}); },
       from({-2.0, 1.0, 2.0}),
       {2},
       {-0.5, 0, 0.5}},
      {"stddev of equal terms",
       [](const Tensor& x) { return stddev(x); },
       from({2.0, 2.0, 2.0}),
       {0},
       {0, 0, 0}},
      {"l1_loss of equal sides",
       [](const Tensor& x) { return l1_loss(x, zeros3()); },
       zeros3(),
       {0},
       {0, 0, 0}},
  };
}

}  // namespace

TEST_CASE("kinks and ties have the slope that is documented", "[singular]") {
  for (const Kink& kink : kinks()) {
    INFO(kink.name);
    const Tensor x = kink.at.clone().set_requires_grad(true);
    const Tensor y = kink.f(x);
    CHECK(values(y) == kink.value);
    for (const bool create_graph : {false, true}) {
      CAPTURE(create_graph);
      CHECK(values(grad(sum(y), {x}, {.retain_graph = true, .create_graph = create_graph})[0]) == kink.slope);
    }
  }
}

TEST_CASE("gradcheck calls kinks and ties not differentiable", "[singular][gradcheck]") {
  for (const Kink& kink : kinks()) {
    const GradcheckReport report =
        gradcheck([&](const std::vector<Tensor>& x) { return kink.f(x[0]); }, {kink.at});
    INFO(kink.name << "\n" << to_string(report));
    CHECK(report.verdict() == Verdict::not_differentiable);
  }
}

TEST_CASE("gradcheck never calls a bend wrong, and a smooth point right", "[singular][gradcheck]") {
  auto verdict_of = [](const UnaryTensorFunction& f, double at) {
    return gradcheck([&](const std::vector<Tensor>& x) { return f(x[0]); }, {full({1}, at, f64)}).verdict();
  };
  const UnaryTensorFunction huber = [](const Tensor& x) { return huber_loss(x, zeros({1}, f64)); };
  const UnaryTensorFunction half_square = [](const Tensor& x) { return square(relu(x)); };
  CHECK(verdict_of(huber, 1) == Verdict::right);
  CHECK(verdict_of(half_square, 0) == Verdict::right);
  for (const double offset : {3e-4, -5e-4, 1e-3}) {
    CAPTURE(offset);
    CHECK(verdict_of(huber, 1 + offset) != Verdict::wrong);
    CHECK(verdict_of(half_square, offset) != Verdict::wrong);
  }
  CHECK(verdict_of(huber, 0) == Verdict::right);
  CHECK(verdict_of([](const Tensor& x) { return pow(x, 2); }, 0) == Verdict::right);
  CHECK(verdict_of([](const Tensor& x) { return x * x * x; }, 0) == Verdict::right);
}

}  // namespace headwise::testing
