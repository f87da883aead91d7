// Reverse mode: values used twice, accumulation, graphs kept and freed, gradients of gradients.
#include <functional>

#include "headwise/autograd/record.h"
#include "tests/support/tensors.h"

namespace headwise::testing {
namespace {

Tensor leaf(double value) { return full({}, value, f64).set_requires_grad(true); }
double number(const Tensor& x) { return x.item<double>(); }

double derivative(const std::function<Tensor(const Tensor&)>& f, double at) {
  const Tensor x = leaf(at);
  backward(f(x));
  return number(x.grad());
}

}  // namespace

TEST_CASE("a value used twice receives both contributions before it passes them on", "[backward]") {
  const Tensor a = leaf(2), b = leaf(3);
  const Tensor c = a + b, d = a * b, e = c + d, f = c * d, y = e + f;
  CHECK(number(y) == 41);
  backward(y);
  CHECK(number(a.grad()) == 25);
  CHECK(number(b.grad()) == 19);

  CHECK(derivative([](const Tensor& x) { return (x + x) + (x + x); }, 1) == 4);
  CHECK(derivative(
            [](const Tensor& x) {
              const Tensor doubled = x + x;
              return doubled + doubled;
            },
            1) == 4);
  const Tensor x = leaf(1), other = leaf(1);
  backward(x * (x * other) + x * (x * other) + x * x * other);
  CHECK(number(x.grad()) == 6);
  CHECK(number(other.grad()) == 3);
}

TEST_CASE("a name may be given to what is computed from it", "[backward]") {
  auto reassigned = [](auto update) {
    const Tensor start = leaf(1);
    Tensor a = start;
    a = update(a);
    backward(a);
    return std::pair(number(a), number(start.grad()));
  };
  CHECK(reassigned([](const Tensor& a) { return a - 2.0 * a; }) == std::pair(-1.0, -1.0));
  CHECK(reassigned([](const Tensor& a) { return 2.0 * a - a; }) == std::pair(1.0, 1.0));
  CHECK(reassigned([](const Tensor& a) { return a + 2.0 * a; }) == std::pair(3.0, 3.0));
}

TEST_CASE("gradients accumulate until they are zeroed", "[backward]") {
  Tensor x = leaf(3);
  backward(x * x);
  CHECK(number(x.grad()) == 6);
  backward(x * x);
  CHECK(number(x.grad()) == 12);
  x.zero_grad();
  CHECK_FALSE(x.grad().defined());
  backward(x * x);
  CHECK(number(x.grad()) == 6);
}

TEST_CASE("a kept graph runs again, and each run adds the same", "[backward]") {
  const Tensor x = leaf(3);
  const Tensor square = x * x;
  backward(square, {.retain_graph = true});
  CHECK(number(x.grad()) == 6);
  backward(square, {.retain_graph = true});
  CHECK(number(x.grad()) == 12);
  Tensor(x).zero_grad();
  const Tensor y = x * x, z = y * y;
  backward(z, {.retain_graph = true});
  CHECK(number(x.grad()) == 108);
  backward(z, {.retain_graph = true});
  CHECK(number(x.grad()) == 216);
  backward(z);
  CHECK(number(x.grad()) == 324);
}

TEST_CASE("what the caller holds is never written to", "[backward]") {
  SECTION("a gradient taken before more is accumulated") {
    const Tensor x = from({1.0, 2.0}).set_requires_grad(true);
    backward(sum(x * 2.0));
    const Tensor before = x.grad();
    backward(sum(x * 5.0));
    CHECK(values(before) == std::vector<double>{2, 2});
    CHECK(values(x.grad()) == std::vector<double>{7, 7});
  }
  for (const bool create_graph : {false, true}) {
    DYNAMIC_SECTION("the cotangent it started from, create_graph " << create_graph) {
      const Tensor x = from({1.0, 2.0}).set_requires_grad(true);
      const Tensor cotangent = from({10.0, 20.0});
      backward(identity(x), cotangent, {.create_graph = create_graph});
      backward(identity(x), cotangent);
      CHECK(values(cotangent) == std::vector<double>{10, 20});
      CHECK(values(x.grad()) == std::vector<double>{20, 40});
    }
  }
  SECTION("a gradient that was set by hand") {
    Tensor x = from({1.0, 2.0}).set_requires_grad(true);
    const Tensor set = from({0.5, 0.5});
    x.set_grad(set);
    backward(sum(x));
    CHECK(values(set) == std::vector<double>{0.5, 0.5});
    CHECK(values(x.grad()) == std::vector<double>{1.5, 1.5});
  }
  SECTION("one that has less memory than elements") {
    Tensor x = from({1.0, 2.0}).set_requires_grad(true);
    x.set_grad(full({}, 1, f64).expand({2}));
    backward(sum(x * 3.0));
    CHECK(values(x.grad()) == std::vector<double>{4, 4});
  }
}

TEST_CASE("grad gives gradients and touches no grad()", "[backward]") {
  const Tensor x = leaf(2), y = leaf(5);
  const Tensor product = x * y, loss = product * product;
  const auto g = grad(loss, {x, product, loss}, {.retain_graph = true});
  CHECK(number(g[0]) == 100);
  CHECK(number(g[1]) == 20);
  CHECK(number(g[2]) == 1);
  CHECK_FALSE(x.grad().defined());
  CHECK_FALSE(y.grad().defined());
  backward(loss);
  CHECK(number(x.grad()) == number(g[0]));
  CHECK(number(y.grad()) == 40);
}

TEST_CASE("grad sums over outputs with their cotangents", "[backward]") {
  const Tensor x = from({1.0, 2.0, 3.0}).set_requires_grad(true);
  const std::vector<Tensor> outputs{x * x, x * 10.0};
  const std::vector<Tensor> cotangents{from({1.0, 0.0, -1.0}), from({1.0, 1.0, 1.0})};
  CHECK(values(grad(outputs, std::vector{x}, cotangents)[0]) == std::vector<double>{12, 10, 4});
  // The same input asked for twice, and an output that is an input.
  const auto g = grad(std::vector{x}, std::vector{x, x}, std::vector{cotangents[0]});
  CHECK(values(g[0]) == std::vector<double>{1, 0, -1});
  CHECK(values(g[1]) == std::vector<double>{1, 0, -1});
}

TEST_CASE("inputs that no output depends on are an error unless allowed", "[backward]") {
  const Tensor x = leaf(2), unused = leaf(1), constant = full({}, 1, f64);
  const Tensor y = x * x;
  check_error(
      [&] {
        grad(y, {x, unused}, {.retain_graph = true});
      },
      {"grad", "input 1", "[]", ".allow_unused = true"});
  const auto g = grad(y, {x, unused, constant}, {.retain_graph = true, .allow_unused = true});
  CHECK(number(g[0]) == 4);
  CHECK_FALSE(g[1].defined());
  CHECK_FALSE(g[2].defined());
  // y^2 does not depend on a later result.
  const Tensor later = y * 3.0;
  CHECK_FALSE(grad(y, {later}, {.allow_unused = true})[0].defined());
}

TEST_CASE("gradients can be differentiated again", "[backward]") {
  const Tensor x = leaf(2);
  const Tensor y = x * x * x * x;
  const Tensor first = grad(y, {x}, {.create_graph = true})[0];
  const Tensor second = grad(first, {x}, {.create_graph = true})[0];
  const Tensor third = grad(second, {x}, {.create_graph = true})[0];
  CHECK(number(first) == 32);
  CHECK(number(second) == 48);
  CHECK(number(third) == 48);
  CHECK(number(grad(third, {x})[0]) == 24);

  const Tensor a = leaf(3);
  backward(a * a * a, {.create_graph = true});
  const Tensor slope = a.grad();
  CHECK(number(slope) == 27);
  CHECK(slope.requires_grad());
  CHECK(number(grad(slope, {a})[0]) == 18);
  // A gradient with a graph refers to its own leaf: let go of it.
  Tensor(a).zero_grad();
}

TEST_CASE("a gradient of a gradient reaches what the first one was multiplied by", "[backward]") {
  const Tensor x = leaf(3), w = leaf(5);
  const Tensor slope = grad(w * x * x, {x}, {.create_graph = true})[0];
  const auto g = grad(slope * slope, {x, w});
  CHECK(number(g[0]) == 2 * 30 * 10);
  CHECK(number(g[1]) == 2 * 30 * 6);
}

TEST_CASE("nothing is recorded under NoGrad, and detach leaves the graph", "[backward]") {
  const Tensor x = leaf(3);
  {
    const NoGrad guard;
    CHECK_FALSE(grad_enabled());
    CHECK_FALSE((x * x).requires_grad());
    CHECK_FALSE(x.view({1}).requires_grad());
    const GradMode on(true);
    CHECK((x * x).requires_grad());
  }
  CHECK(grad_enabled());
  CHECK_FALSE(x.detach().requires_grad());
  CHECK_FALSE((x * x).detach().requires_grad());
  backward(x * (x * x).detach());
  CHECK(number(x.grad()) == 9);
  CHECK_FALSE((full({}, 1, f64) * 2.0).requires_grad());
}

TEST_CASE("only what is asked for is computed", "[backward]") {
  int wanted_left = 0, wanted_right = 0;
  const Tensor a = leaf(2), b = leaf(3);
  Tensor y = full({}, 6, f64);
  y = record("mul", y, inputs(a, b), saves(), [&](Vjp& v) {
    wanted_left += v.needs(0);
    wanted_right += v.needs(1);
    if (v.needs(0)) v.give(0, v.cotangent() * 3.0);
    if (v.needs(1)) v.give(1, v.cotangent() * 2.0);
  });
  CHECK(number(grad(y, {b})[0]) == 2);
  CHECK(wanted_left == 0);
  CHECK(wanted_right == 1);
}

TEST_CASE("slices of one tensor add up their gradients beside its other users", "[backward]") {
  const Tensor x = from({1.0, 2.0, 3.0, 4.0}).set_requires_grad(true);
  Tensor y = sum(x * 2.0);
  for (int64_t i = 0; i < 4; ++i) y = y + sum(x.slice(0, i, i + 2) * static_cast<double>(i + 1));
  const Tensor right = from({3.0, 5.0, 7.0, 9.0});
  CHECK(same_bits(grad(y, {x}, {.retain_graph = true})[0], right));
  CHECK(same_bits(grad(y, {x}, {.create_graph = true})[0], right));
  backward(y);
  CHECK(same_bits(x.grad(), right));
}

TEST_CASE("a gradient shares memory neither with a cotangent nor with another gradient", "[backward]") {
  const Tensor x = from({1.0, 2.0}).set_requires_grad(true);
  Tensor c = from({3.0, 4.0});
  for (const bool needed : {false, true}) {
    c.set_requires_grad(needed);
    Tensor g = grad(std::vector{x + 1.0}, std::vector{x}, std::vector{c})[0];
    CHECK_FALSE(g.requires_grad());
    g.fill(9);
    CHECK(values(c) == std::vector<double>{3, 4});
  }
  const Tensor a = leaf(1), b = leaf(2);
  const Tensor y = a + b;
  for (Tensor& gradient : grad(sum(y * y), {a, b, y, a})) {
    CHECK(values(gradient) == std::vector<double>{6});
    gradient.fill(0);
  }
}

}  // namespace headwise::testing
