// Functions of the user's own: treated as built-in ops are, and refused with their name when they are wrong.
#include "headwise/autograd/function.h"

#include "tests/support/derivatives.h"

namespace headwise::testing {
namespace {

using Tensors = std::vector<Tensor>;

// y = x^3
const Function cube{
    .name = "cube",
    .forward =
        [](const Tensors& in) {
          return FunctionForward{{in[0] * in[0] * in[0]}, {in[0]}};
        },
    .vjp = [](const FunctionVjp& v) { return Tensors{v.cotangents[0] * 3.0 * v.saved[0] * v.saved[0]}; }};

// (sum, rounded down, difference) of two inputs, of which only floating ones have gradients
const Function sum_and_difference{
    .name = "sum_and_difference",
    .forward =
        [](const Tensors& in) {
          return FunctionForward{{in[0] + in[1], in[0].to(i64), in[0] - in[1]}, {}};
        },
    .vjp =
        [](const FunctionVjp& v) {
          CHECK_FALSE(v.cotangents[1].defined());
          const Tensor& plus = v.cotangents[0];
          const Tensor& minus = v.cotangents[2];
          return Tensors{v.needed[0] ? plus + minus : Tensor(), v.needed[1] ? plus - minus : Tensor()};
        }};

// Passes its input through, with a vjp to be tried out.
Function with_vjp(std::function<Tensors(const FunctionVjp&)> vjp) {
  return {.name = "tried",
          .forward =
              [](const Tensors& in) {
                return FunctionForward{{in[0].clone()}, {}};
              },
          .vjp = std::move(vjp)};
}

}  // namespace

TEST_CASE("a function has the gradients that its vjp says, of any order", "[function]") {
  const Tensor x = leaf({2, -3});
  const Tensor y = cube({x});
  CHECK(values(y) == std::vector<double>{8, -27});
  backward(sum(y));
  CHECK(values(x.grad()) == std::vector<double>{12, 27});

  const Tensor first = grad(sum(cube({x})), {x}, {.create_graph = true})[0];
  const Tensor second = grad(sum(first), {x}, {.create_graph = true})[0];
  CHECK(values(second) == std::vector<double>{12, -18});
  CHECK(values(grad(sum(second), {x})[0]) == std::vector<double>{6, 6});
  CHECK(gradcheck([](const Tensors& in) { return cube({in[0]}); }, {from({0.5, -1.5})}));
}

TEST_CASE("a function may have several inputs and outputs, some without gradients", "[function]") {
  const Tensor x = leaf({1.5, 2.5}), y = leaf({10, 20});
  const auto outputs = sum_and_difference.apply({x, y});
  CHECK(outputs[0].requires_grad());
  CHECK_FALSE(outputs[1].requires_grad());
  CHECK(outputs[1].to_vector<int64_t>() == std::vector<int64_t>{1, 2});
  backward(sum(outputs[2] * 3.0), {.retain_graph = true});  // nothing arrives at the sum
  CHECK(values(x.grad()) == std::vector<double>{3, 3});
  CHECK(values(y.grad()) == std::vector<double>{-3, -3});
  CHECK(values(grad(sum(outputs[0] * outputs[2]), {y})[0]) == std::vector<double>{-20, -40});

  const Tensor constant = from({1.0, 1.0});
  const auto partly = sum_and_difference.apply({x, constant});
  CHECK(values(grad(sum(partly[0]), {x})[0]) == std::vector<double>{1, 1});
  const NoGrad guard;
  CHECK_FALSE(sum_and_difference.apply({x, y})[0].requires_grad());
}

TEST_CASE("a function may take an undefined input and give an undefined gradient", "[function]") {
  const Function add_bias{.name = "add_bias",
                          .forward =
                              [](const Tensors& in) {
                                return FunctionForward{{in[1].defined() ? in[0] + in[1] : in[0].clone()}, {}};
                              },
                          .vjp =
                              [](const FunctionVjp& v) {
                                return Tensors{Tensor(), v.needed[1] ? v.cotangents[0] : Tensor()};
                              }};
  const Tensor x = leaf({1}), bias = leaf({2});
  CHECK(values(add_bias({x, Tensor()})) == std::vector<double>{1});
  backward(sum(add_bias({x, bias})));
  CHECK_FALSE(x.grad().defined());
  CHECK(values(bias.grad()) == std::vector<double>{1});
}

TEST_CASE("a wrong number of gradients is an error that gives both", "[function]") {
  const Tensor x = leaf({1, 2});
  for (const bool too_many : {false, true}) {
    const Function f = with_vjp([too_many](const FunctionVjp& v) {
      return too_many ? Tensors{v.cotangents[0], v.cotangents[0]} : Tensors{};
    });
    check_error([&] { backward(sum(f({x}))); },
                {"backward of tried", "1 inputs", too_many ? "2 gradients" : "0 gradients", "one per input"});
  }
  CHECK_FALSE(x.grad().defined());
}

TEST_CASE("a gradient of a wrong shape or dtype is an error that names both", "[function]") {
  const Tensor x = leaf({1, 2});
  auto gradient = [&](const Tensor& given) {
    return with_vjp([given](const FunctionVjp&) { return Tensors{given}; });
  };
  check_error([&] { backward(sum(gradient(ones({3}, f64))({x}))); },
              {"backward of tried", "input 0", "[2]", "f64", "[3]"});
  check_error([&] { backward(sum(gradient(ones({2}))({x}))); }, {"backward of tried", "f64", "f32"});
  // The mistake that is made most: the input was broadcast and its gradient is not summed.
  check_error(
      [&] {
        backward(sum(gradient(ones({4, 2}, f64))({x})));
      },
      {"backward of tried", "[4, 2]", "[2]", "sum_to"});
  CHECK_FALSE(x.grad().defined());
}

TEST_CASE("a function that is incomplete is refused by name", "[function]") {
  const Tensor x = leaf({1});
  auto forward = [](const Tensors& outputs) {
    return [outputs](const Tensors&) { return FunctionForward{outputs, {}}; };
  };
  const auto vjp = [](const FunctionVjp&) { return Tensors{}; };
  check_error([&] { Function{.name = "", .forward = forward({x}), .vjp = vjp}({x}); }, {"name"});
  check_error([&] { Function{.name = "half", .forward = forward({x}), .vjp = {}}({x}); }, {"half", "vjp"});
  check_error([&] { Function{.name = "void", .forward = forward({}), .vjp = vjp}({x}); },
              {"void", "no output"});
  check_error([&] { Function{.name = "empty", .forward = forward({Tensor()}), .vjp = vjp}({x}); },
              {"empty", "output 0", "undefined"});
  const Function writes{.name = "writes",
                        .forward =
                            [](const Tensors& in) {
                              Tensor y = in[0];
                              y.fill(2);
                              return FunctionForward{{y}, {}};
                            },
                        .vjp = vjp};
  check_error([&] { writes({from({1.0})}); }, {"writes", "input 0", "in place", "clone()"});
  check_error([&] { sum_and_difference({x, x}); }, {"sum_and_difference", "3 outputs", "apply"});
}

TEST_CASE("an output that is an input comes back as a view of it", "[function]") {
  const Function reverse{
      .name = "reverse_gradient",
      .forward =
          [](const Tensors& in) {
            return FunctionForward{{in[0], in[0]}, {}};
          },
      .vjp = [](const FunctionVjp& v) { return Tensors{-(v.cotangents[0] + v.cotangents[1])}; }};
  const Tensor x = leaf({1, 2});
  const auto y = reverse.apply({x});
  CHECK(y[0].pointer<double>() == x.pointer<double>());
  CHECK_FALSE(y[0].is_leaf());
  CHECK(x.is_leaf());
  backward(sum(y[0] * 3.0) + sum(y[1]));
  CHECK(values(x.grad()) == std::vector<double>{-4, -4});
  CHECK_FALSE(y[0].grad().defined());
}

TEST_CASE("an output that is saved makes no cycle and is differentiated as the output", "[function]") {
  const Function my_exp{.name = "my_exp",
                        .forward =
                            [](const Tensors& in) {
                              const Tensor y = exp(in[0]);
                              return FunctionForward{{y}, {y}};
                            },
                        .vjp = [](const FunctionVjp& v) { return Tensors{v.cotangents[0] * v.saved[0]}; }};
  const int64_t before = pool::statistics().live_nodes;
  {
    const Tensor x = leaf({0.5});
    const Tensor first = grad(sum(my_exp({x})), {x}, {.create_graph = true})[0];
    check_close(grad(sum(first), {x})[0], exp(x));
  }
  CHECK(pool::statistics().live_nodes == before);
}

TEST_CASE("what a function saved is checked for changes and freed", "[function]") {
  const Tensor x = leaf({2});
  const Tensor y = sum(cube({x}));
  backward(y);
  check_error([&] { backward(y); }, {"cube", "freed", ".retain_graph = true"});
  const Tensor z = sum(cube({x}));
  {
    const NoGrad guard;
    Tensor target = x;
    target.fill(7);
  }
  check_error([&] { backward(z); }, {"cube", "changed in place", "version"});
}

TEST_CASE("a vjp that changes what it was given is refused", "[function]") {
  const Tensor x = leaf({1, 2});
  const Function over_cotangent = with_vjp([](const FunctionVjp& v) {
    Tensor c = v.cotangents[0];
    c.fill(77);
    return Tensors{c};
  });
  check_error(
      [&] {
        backward(over_cotangent({x}), from({1.0, 2.0}));
      },
      {"backward of tried", "cotangent 0", "in place", "clone()"});
  Function over_saved = cube;
  over_saved.vjp = [](const FunctionVjp& v) {
    v.saved[0].detach().fill(77);
    return Tensors{v.cotangents[0].clone()};
  };
  check_error([&] { backward(sum(over_saved({x * 1.0}))); },
              {"backward of cube", "saved value 0", "in place", "clone()"});
  CHECK_FALSE(x.grad().defined());
}

TEST_CASE("a saved value that is neither input nor output is a constant", "[function]") {
  const Tensor x = leaf({2}), w = leaf({3});
  const Function scale{.name = "scale",
                       .forward =
                           [w](const Tensors& in) {
                             return FunctionForward{{in[0] * w}, {w}};
                           },
                       .vjp = [](const FunctionVjp& v) { return Tensors{v.cotangents[0] * v.saved[0]}; }};
  const Tensor y = scale({x}) * x;
  const Tensor first = grad(sum(y), {x}, {.create_graph = true})[0];
  CHECK(values(first) == std::vector<double>{12});
  CHECK_FALSE(grad(std::vector{first}, std::vector{w}, {}, {.allow_unused = true})[0].defined());
}

TEST_CASE("a vjp outside tensor ops refuses to be recorded", "[function]") {
  Function raw = cube;
  raw.once_differentiable = true;
  const Tensor x = leaf({2});
  CHECK(values(grad(sum(raw({x})), {x})[0]) == std::vector<double>{12});
  check_error([&] { grad(sum(raw({x})), {x}, {.create_graph = true}); },
              {"backward of cube", "once_differentiable", "create_graph"});
}

TEST_CASE("gradients that drag a graph along are cut where nothing is recorded", "[function]") {
  const Tensor x = leaf({2}), other = leaf({5});
  const Function f = with_vjp([other](const FunctionVjp&) { return Tensors{other}; });
  backward(sum(f({x})));
  CHECK(values(x.grad()) == std::vector<double>{5});
  CHECK_FALSE(x.grad().requires_grad());
}

TEST_CASE("a function is drawn under its name", "[function]") {
  const Tensor x = leaf({2});
  CHECK_THAT(to_dot(cube({x})), Catch::Matchers::ContainsSubstring("cube"));
}

TEST_CASE("an exception from a function leaves gradients and graph as they were", "[function]") {
  bool broken = true;
  const Function f = with_vjp([&broken](const FunctionVjp& v) {
    if (broken) throw std::runtime_error("out of luck");
    return Tensors{v.cotangents[0]};
  });
  const Tensor x = leaf({1}), z = leaf({1});
  const Tensor y = sum(f({x}) * z);
  CHECK_THROWS_AS(backward(y, {.retain_graph = true}), std::runtime_error);
  CHECK_FALSE(x.grad().defined());
  CHECK_FALSE(z.grad().defined());
  broken = false;
  backward(y);
  CHECK(values(x.grad()) == std::vector<double>{1});
}

}  // namespace headwise::testing
