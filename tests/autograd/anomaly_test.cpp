// The guard against NaN and infinities: what it names, what it passes over, and that it stays on its thread.
#include "headwise/autograd/anomaly.h"

#include <memory>
#include <thread>

#include "tests/autograd/op_inputs.h"
#include "tests/support/derivatives.h"

namespace headwise::testing {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("the first op with a result that is not finite is named with its operands", "[anomaly]") {
  const Tensor x = leaf({0, 1, 4});
  const DetectAnomaly guard;
  check_error([&] { sum(exp(log(x)) * 2.0); },
              {"log returned", "output 0: shape [3], f64, from 0 to 1.386", "0 NaN, 0 inf, 1 -inf",
               "input 0: shape [3], f64, from 0 to 4"});
  check_error([&] { sqrt(x - 1.0); }, {"sqrt returned", "1 NaN"});
  check_error([&] { x / (x - 1.0); }, {"div returned", "input 0", "input 1: shape [3], f64, from -1 to 3"});
}

TEST_CASE("an infinite logit is caught where it does harm", "[anomaly]") {
  const Tensor logits = from({{1.0, infinity, 2.0}}).set_requires_grad(true);
  const Tensor target = from({int64_t{0}});
  const DetectAnomaly guard;
  check_error([&] { softmax(logits, -1); }, {"softmax returned", "1 inf"});
  check_error([&] { log_softmax(logits, -1); }, {"log_softmax returned"});
  check_error([&] { cross_entropy(logits, target); },
              {"cross_entropy returned", "input 0: shape [1, 3]", "1 inf"});
}

TEST_CASE("ops that are not recorded are checked too", "[anomaly]") {
  const DetectAnomaly guard;
  check_error([] { log(from({0.0})); }, {"log"});
  const NoGrad no_grad;
  const Tensor x = leaf({0});
  check_error([&] { log(x); }, {"log"});
}

TEST_CASE("infinities that were asked for are passed over", "[anomaly]") {
  Rng rng(1);
  const Tensor scores = randn({1, 1, 3, 3}, rng, f64).set_requires_grad(true);
  const Tensor hidden = from({{false, true, true}, {false, false, true}, {false, false, false}});
  const DetectAnomaly guard;
  const Tensor filled = softmax(masked_fill(scores, hidden, -infinity), -1);
  const Tensor mask = masked_fill(zeros({3, 3}, f64), hidden, -infinity);
  const Tensor added = softmax((scores + mask) * 1.0, -1);
  CHECK(same_bits(filled, added));
  const Attention attention = scaled_dot_product_attention(scores, scores, scores, {.bias = mask});
  backward(sum(filled * added) + sum(attention.output));
  CHECK_NOTHROW(amax(masked_fill(scores, hidden, -infinity), {-1}));
  // NaN never is.
  check_error([&] { masked_fill(scores, hidden, nan); }, {"masked_fill", "3 NaN"});
  // Nor is what overflows on conversion.
  check_error([&] { static_cast<void>(from({1e300}).to(f32)); }, {"to", "1 inf"});
}

TEST_CASE("no op sets the guard off where it has a value and derivatives", "[anomaly]") {
  const DetectAnomaly guard;
  for (const auto& row : op_cases()) {
    INFO(row.op << ": " << row.what);
    std::vector<Tensor> inputs;
    for (const Tensor& input : row.inputs)
      inputs.push_back(input.detach().clone().set_requires_grad(is_floating(input.dtype())));
    const auto gradients = [&](const Tensor& y, bool create_graph) {
      return grad(std::vector{y}, inputs, std::vector{ones(y.shape(), y.dtype())},
                  {.create_graph = create_graph, .allow_unused = true});
    };
    CHECK_NOTHROW(gradients(row.function(inputs), false));
    // Its second derivative passes through ln 0.
    if (row.what == "literal base of 0") continue;
    for (const Tensor& first : gradients(row.function(inputs), true))
      if (first.defined() && first.requires_grad()) CHECK_NOTHROW(gradients(first, true));
  }
}

TEST_CASE("a zero cotangent at a singular point is no anomaly", "[anomaly]") {
  const Tensor x = leaf({0, 4});
  const DetectAnomaly guard;
  for (const bool create_graph : {false, true}) {
    const Tensor y = sqrt(x).select(0, 1);
    CHECK(values(grad(y, {x}, {.create_graph = create_graph})[0]) == std::vector<double>{0, 0.25});
  }
}

TEST_CASE("a gradient that is not finite is laid to the vjp that gave it", "[anomaly]") {
  const Tensor x = leaf({0, 4});
  const Tensor before = from({1.0, 1.0});
  Tensor other = x;
  other.set_grad(before);
  const DetectAnomaly guard({{"depth", x}});
  check_error([&] { backward(sum(sqrt(x))); },
              {"backward of sqrt", "gradient of input 0 (depth)", "1 inf", "cotangent of output 0: shape [2]",
               "saved value 0: shape [2], f64, from 0 to 2"});
  CHECK(values(x.grad()) == std::vector<double>{1, 1});

  // 0 / 0 on the way back alone.
  const headwise::Function root{
      .name = "my_root",
      .forward =
          [](const std::vector<Tensor>& in) {
            const Tensor y = sqrt(in[0]);
            return FunctionForward{{y}, {y}};
          },
      .vjp = [](const FunctionVjp& v) { return std::vector{v.cotangents[0] / (v.saved[0] * 2.0)}; }};
  check_error(
      [&] {
        backward(sum(root({x}) * from({0.0, 1.0})));
      },
      {"backward of my_root", "gradient of input 0 (depth)", "1 NaN", "cotangent of output 0: shape [2]"});
  CHECK(values(x.grad()) == std::vector<double>{1, 1});
}

TEST_CASE("a function that returns what is not finite is named", "[anomaly]") {
  auto returning = [](double value) {
    return headwise::Function{.name = "odd",
                              .forward =
                                  [value](const std::vector<Tensor>& in) {
                                    return FunctionForward{{full(in[0].shape(), value, f64)}, {}};
                                  },
                              .vjp = [](const FunctionVjp& v) { return v.cotangents; }};
  };
  const DetectAnomaly guard;
  check_error([&] { returning(nan)({leaf({1, 2})}); }, {"odd returned", "2 NaN", "input 0: shape [2]"});
  check_error([&] { returning(infinity)({from({1.0})}); }, {"odd returned", "1 inf"});
}

TEST_CASE("sums that overflow and hooks that spoil are caught before any gradient changes", "[anomaly]") {
  const Tensor x = leaf({1}), y = leaf({1});
  const DetectAnomaly guard({{"x", x}, {"y", y}});
  const Tensor small = leaf({1e-10});
  check_error([&] { backward(small * 1e308 + small * 1e308); }, {"the cotangent of leaf", "1 inf", "parts"});
  CHECK_FALSE(small.grad().defined());
  const auto hook = on_cotangent(x, [](const Tensor& d) { return d * nan; });
  check_error([&] { backward(x * y); }, {"the cotangent of leaf (x)", "1 NaN", "hooks"});
  check_error([&] { grad(x * y, {x}); }, {"the cotangent of leaf (x)"});
  check_error([&] { backward(y, from({infinity})); }, {"the cotangent of leaf (y)", "1 inf"});
  CHECK_FALSE(x.grad().defined());
  CHECK_FALSE(y.grad().defined());
}

TEST_CASE("a parameter that a bad step spoilt is named, also through a view", "[anomaly]") {
  Rng rng(2);
  Tensor weight = randn({4, 3}, rng).set_requires_grad(true), bias = zeros({4}).set_requires_grad(true);
  const Tensor x = randn({2, 3}, rng);
  const DetectAnomaly guard({{"encoder.weight", weight}, {"encoder.bias", bias}});
  linear(x, weight, bias);
  {
    const NoGrad no_grad;
    bias.add_scaled(full({4}, infinity), 1);
    bias.add_scaled(full({4}, infinity), -1);
  }
  check_error([&] { linear(x, weight, bias); }, {"linear returned", "input 2 (encoder.bias)", "4 NaN"});
  check_error([&] { bias.view({2, 2}) + 1.0; }, {"add returned", "input 0 (encoder.bias): shape [2, 2]"});
  const DetectAnomaly inner({{"other", x}});
  check_error([&] { linear(x, weight, bias); }, {"input 0 (other)", "input 2 (encoder.bias)"});
}

TEST_CASE("the guard ends with its scope and belongs to its thread", "[anomaly]") {
  const Tensor zero = from({0.0});
  {
    const DetectAnomaly outer;
    { const DetectAnomaly inner; }
    check_error([&] { log(zero); }, {"log"});
    bool threw_elsewhere = false;
    std::thread other([&] {
      try {
        log(zero);
      } catch (const Error&) {
        threw_elsewhere = true;
      }
    });
    other.join();
    CHECK_FALSE(threw_elsewhere);
    CHECK_THROWS_AS(backward(log(leaf({0}))), Error);
    check_error([&] { log(zero); }, {"log"});  // the refused pass left the guard on
  }
  CHECK(log(zero).item<double>() == -infinity);
  CHECK(grad_enabled());
}

TEST_CASE("guards may end in any order", "[anomaly]") {
  const Tensor x = leaf({0});
  auto outer = std::make_unique<DetectAnomaly>(NamedTensors{{"gone", x}});
  auto inner = std::make_unique<DetectAnomaly>(NamedTensors{{"depth", x}});
  outer.reset();
  check_error([&] { log(x); }, {"log returned", "input 0 (depth)"});
  outer = std::make_unique<DetectAnomaly>();  // now the innermost
  auto third = std::make_unique<DetectAnomaly>();
  inner.reset();
  third.reset();
  check_error([&] { log(x); }, {"log returned", "input 0: shape"});
  outer.reset();
  CHECK(log(x).item<double>() == -infinity);
}

TEST_CASE("inside the guard results and gradients have the same bits", "[anomaly]") {
  auto step = [] {
    Rng rng(3);
    const Tensor x = randn({2, 4, 8}, rng), w = randn({8, 8}, rng).set_requires_grad(true);
    const Tensor heads = linear(x, w).view({2, 4, 2, 4}).transpose(1, 2);
    const auto attention = scaled_dot_product_attention(heads, heads, heads, {.causal = Causal::top_left});
    backward(sum(layer_norm(attention.output, Tensor(), Tensor()) * attention.output));
    return w.grad();
  };
  const Tensor expected = step();
  const DetectAnomaly guard;
  CHECK(same_bits(step(), expected));
}

}  // namespace headwise::testing
