// Modules under the checker: parameters by name, and the module left as it was.
#include "headwise/layers/gradcheck.h"

#include "headwise/layers/layers.h"
#include "tests/support/derivatives.h"

namespace headwise::testing {
namespace {

template <class Layer>
Layer in_f64(Layer layer) {
  layer.to(f64);
  return layer;
}

// A layer inside another, used twice, behind dropout.
class Block : public Module {
 public:
  explicit Block(Rng& rng) : inner({2, 2}, rng), dropout(0.5, rng) {}
  Tensor forward(const Tensor& x) { return inner.forward(dropout.forward(tanh(inner.forward(x)))); }
  Linear inner;
  Dropout dropout;

 private:
  void members(Members& m) override {
    m.child("inner", inner);
    m.child("again", inner);
    m.child("dropout", dropout);
  }
};

}  // namespace

TEST_CASE("parameters are listed under their full names, before the inputs", "[gradcheck]") {
  Rng rng(1);
  auto block = in_f64(Block(rng));
  block.eval();
  const auto report = gradcheck([&](const Args& x) { return block.forward(x[0]); }, block,
                                {random({2, 2}, 1)}, {.names = {"x"}});
  INFO(to_string(report));
  CHECK(report.verdict() == Verdict::right);
  REQUIRE(report.inputs.size() == 3);
  CHECK(report.inputs[0].name == "inner.weight");
  CHECK(report.inputs[1].name == "inner.bias");
  CHECK(report.inputs[2].name == "x");
}

TEST_CASE("a wrong gradient of one parameter is wrong under its name alone", "[gradcheck]") {
  Rng rng(1);
  auto layer = in_f64(Linear({.in = 2, .out = 2}, rng));
  for (const GradcheckMode mode : {GradcheckMode::full, GradcheckMode::directions, GradcheckMode::taylor}) {
    const auto report = gradcheck(
        [&](const Args& x) {
          const Tensor half = (layer.bias + layer.bias.detach()) * 0.5;
          return linear(x[0], layer.weight, half);
        },
        layer, {random({2, 2}, 1)}, {.mode = mode});
    INFO(to_string(report));
    CHECK(report.inputs[0].verdict == Verdict::right);
    CHECK(report.inputs[1].name == "bias");
    CHECK(report.inputs[1].verdict == Verdict::wrong);
    CHECK(report.inputs[2].verdict == Verdict::right);
  }
}

TEST_CASE("dropout in training is not deterministic", "[gradcheck]") {
  Dropout layer(0.5, Rng(1));
  const auto report = gradcheck([&](const Args& x) { return layer.forward(x[0]); }, layer, {random({20}, 1)});
  CHECK(report.verdict() == Verdict::not_deterministic);
}

TEST_CASE("a module is left bit for bit as it was, also when f throws", "[gradcheck]") {
  Rng rng(1);
  auto block = in_f64(Block(rng));
  const Tensor x = random({2, 2}, 1);
  block.eval();
  backward(sum(block.forward(x)));
  block.train();
  const Tensor handle = block.inner.weight, values_before = handle.detach().clone(),
               gradient_before = handle.grad().clone();
  const Block twin = block;  // shares parameters, has a generator of its own
  Block expected = twin;
  const Tensor mask = expected.dropout.forward(ones({8}, f64));

  int calls = 0;
  bool throws = false;
  SECTION("f returns") {}
  SECTION("f throws") { throws = true; }
  auto f = [&](const Args& at) {
    block.train(++calls % 2 == 0);
    if (throws && calls > 3) fail("stop");
    block.dropout.forward(at[0]);
    return block.inner.forward(at[0]);
  };
  if (throws)
    check_error([&] { gradcheck(f, block, {x}); }, {"stop"});
  else
    CHECK(gradcheck(f, block, {x}));

  CHECK(block.inner.weight.data() == handle.data());
  CHECK(same_bits(block.inner.weight, values_before));
  CHECK(same_bits(block.inner.weight.grad(), gradient_before));
  CHECK(block.training());
  CHECK(block.inner.training());
  CHECK(same_bits(block.dropout.forward(ones({8}, f64)), mask));
}

TEST_CASE("a parameter that f sets where there was none is gone again", "[gradcheck]") {
  Rng rng(1);
  Linear layer({.in = 2, .out = 2, .bias = false}, rng);
  layer.to(f64);
  gradcheck(
      [&](const Args& x) {
        layer.bias = ones({2}, f64);
        return layer.forward(x[0]);
      },
      layer, {random({1, 2}, 1)});
  CHECK_FALSE(layer.bias.defined());
}

TEST_CASE("a module in f32 is refused", "[gradcheck]") {
  Rng rng(1);
  Linear layer({.in = 2, .out = 2}, rng);
  check_error(
      [&] {
        gradcheck([&](const Args& x) { return layer.forward(x[0]); }, layer, {ones({1, 2})});
      },
      {"weight", "f32", "module.to(f64)"});
}

}  // namespace headwise::testing
