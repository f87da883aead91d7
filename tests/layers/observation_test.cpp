// Observation points: found by name, fired once and in order, replaced where asked, and free when unused.
#include "headwise/layers/layers.h"
#include "tests/support/tensors.h"

namespace headwise::testing {
namespace {

// A small model of every layer, as a user would write it.
class Model : public Module {
 public:
  explicit Model(Rng& rng)
      : embedding_({.count = 5, .width = 8}, rng),
        dropout_(0.5, rng),
        norm_({.width = 8}),
        head_({.in = 8, .out = 3}, rng) {
    for (int i = 0; i < 2; ++i)
      encoder_.emplace_back(MultiHeadAttentionOptions{.d_model = 8, .heads = 2}, rng);
  }

  Tensor forward(const Tensor& tokens) {
    Tensor x = dropout_.forward(embedding_.forward(tokens));
    for (const MultiHeadAttention& attention : encoder_)
      x = x + attention.forward(x, {.weights = false}).output;
    return head_.forward(norm_.forward(x));
  }

 private:
  void members(Members& m) override {
    m.child("embedding", embedding_);
    m.child("dropout", dropout_);
    m.children("encoder", encoder_);
    m.child("norm", norm_);
    m.child("head", head_);
  }

  Embedding embedding_;
  Dropout dropout_;
  std::vector<MultiHeadAttention> encoder_;
  LayerNorm norm_;
  Linear head_;
};

struct Fixture {
  Rng rng{1};
  Model model{rng};
  Tensor tokens = from({{int64_t{0}, int64_t{1}, int64_t{2}}, {int64_t{4}, int64_t{3}, int64_t{2}}});
  Fixture() { model.eval(); }
};

// The gradients of all parameters after one pass, with the output.
NamedTensors step(Model& model, const Tensor& tokens) {
  model.zero_grad();
  const Tensor y = model.forward(tokens);
  backward(sum(y * y));
  NamedTensors result{{"output", y.detach()}};
  for (const auto& [name, parameter] : model.named_parameters())
    result.emplace_back(name, parameter.grad().clone());
  return result;
}

void check_same_bits(const NamedTensors& a, const NamedTensors& b) {
  REQUIRE(a.size() == b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    CAPTURE(a[i].first);
    CHECK(same_bits(a[i].second, b[i].second));
  }
}

}  // namespace

TEST_CASE("points are found by their full names over the whole model", "[observation]") {
  Fixture f;
  const std::vector<std::string> names = f.model.point_names();
  CHECK(names.size() == 24);
  CHECK(names.front() == "embedding.output");
  CHECK(names.back() == "head.output");
  CHECK(std::count(names.begin(), names.end(), "encoder.1.query_heads") == 1);
  check_error([&] { auto h = f.model.on_forward("encoder.0.wieghts", [](const Tensor&) {}); },
              {"encoder.0.wieghts", "encoder.0.weights", "head.output"});
  check_error([&] { auto h = f.model.on_backward("head", [](const Tensor&) {}); }, {"head", "head.output"});
}

TEST_CASE("every point fires once per forward and backward, in the shape that is documented",
          "[observation]") {
  Fixture f;
  const Shape model{2, 3, 8}, heads{2, 2, 3, 4};
  std::vector<std::pair<std::string, Shape>> expected{{"embedding.output", model}, {"dropout.output", model}};
  for (const char* layer : {"encoder.0", "encoder.1"})
    for (const auto& [point, shape] :
         std::initializer_list<std::pair<const char*, Shape>>{{"query", model},
                                                              {"key", model},
                                                              {"value", model},
                                                              {"query_heads", heads},
                                                              {"key_heads", heads},
                                                              {"value_heads", heads},
                                                              {"weights", {2, 2, 3, 3}},
                                                              {"context", heads},
                                                              {"concatenated", model},
                                                              {"output", model}})
      expected.emplace_back(fmt::format("{}.{}", layer, point), shape);
  expected.emplace_back("norm.output", model);
  expected.emplace_back("head.output", Shape{2, 3, 3});

  std::vector<std::pair<std::string, Shape>> forward, backwards;
  std::vector<HookHandle> handles;
  for (const std::string& name : f.model.point_names()) {
    handles.push_back(f.model.on_forward(
        name, [&forward, name](const Tensor& x) { forward.emplace_back(name, x.shape()); }));
    handles.push_back(f.model.on_backward(
        name, [&backwards, name](const Tensor& x) { backwards.emplace_back(name, x.shape()); }));
  }
  const Tensor loss = sum(f.model.forward(f.tokens));
  CHECK(forward == expected);
  CHECK(backwards.empty());
  backward(loss);
  auto by_name = [](const auto& a, const auto& b) { return a.first < b.first; };
  CHECK(backwards.front().first == "head.output");
  CHECK(backwards.back().first == "embedding.output");
  std::sort(backwards.begin(), backwards.end(), by_name);
  std::sort(expected.begin(), expected.end(), by_name);
  CHECK(backwards == expected);
  {
    const NoGrad guard;
    forward.clear();
    f.model.forward(f.tokens);
    CHECK(forward.size() == 24);
  }
  CHECK(backwards.size() == 24);
}

TEST_CASE("observing changes no bit, and nothing is left once the handles are gone", "[observation]") {
  Fixture f;
  const NamedTensors expected = step(f.model, f.tokens);
  int fired = 0;
  {
    std::vector<HookHandle> handles;
    for (const std::string& name : f.model.point_names())
      handles.push_back(f.model.on_forward(name, [&](const Tensor&) { ++fired; }));
    check_same_bits(step(f.model, f.tokens), expected);
    for (const std::string& name : f.model.point_names())
      handles.push_back(f.model.on_backward(name, [&](const Tensor&) { ++fired; }));
    const NamedTensors observed = step(f.model, f.tokens);
    for (size_t i = 0; i < expected.size(); ++i) check_close(observed[i].second, expected[i].second, 1e-5);
    CHECK(fired == 24 * 3);
  }
  check_same_bits(step(f.model, f.tokens), expected);
  CHECK(fired == 24 * 3);
}

TEST_CASE("hooks of a point run in the order added, each on what the one before left", "[observation]") {
  Fixture f;
  std::vector<int> order;
  auto first = f.model.on_forward("head.output", [&](const Tensor& x) {
    order.push_back(1);
    return zeros(x.shape());
  });
  auto second = f.model.on_forward("head.output", [&](const Tensor& x) {
    order.push_back(2);
    return x + 2.0;
  });
  CHECK(values(f.model.forward(f.tokens)) == std::vector<double>(18, 2));
  CHECK(order == std::vector<int>{1, 2});
  first = f.model.on_forward("head.output", [&](const Tensor&) { order.push_back(3); });  // the first is gone
  order.clear();
  f.model.forward(f.tokens);
  CHECK(order == std::vector<int>{2, 3});
}

TEST_CASE("a replaced tensor is what the model goes on with", "[observation]") {
  Rng rng(2);
  MultiHeadAttention attention({.d_model = 8, .heads = 2}, rng);
  attention.to(f64);
  const Tensor x = randn({2, 3, 8}, rng, f64);
  const Attended plain = attention.forward(x);
  // Head 1 is cut off by either of two points; what is left is head 0's share.
  const Tensor keep = from({1.0, 0.0}).view({2, 1, 1});
  const auto cut = [&](const Tensor& heads) { return heads * keep; };
  const Tensor share = linear((plain.context * keep).transpose(1, 2).reshape({2, 3, 8}), attention.W_O);
  for (const char* point : {"value_heads", "weights", "context"}) {
    CAPTURE(point);
    const auto handle = attention.on_forward(point, cut);
    const Attended ablated = attention.forward(x);
    check_close(ablated.output, share);
    check_close(ablated.context, plain.context * keep);
  }
  // Patching: a leaf in the tensor's place receives the gradient, in every pass anew.
  Tensor patch = randn(plain.weights.shape(), rng, f64).set_requires_grad(true);
  int fired = 0;
  const auto patched = attention.on_forward("weights", [&](const Tensor&) { return patch; });
  const auto seen = attention.on_backward("weights", [&](const Tensor&) { ++fired; });
  for (int pass = 1; pass <= 2; ++pass) {
    const Attended attended = attention.forward(x);
    CHECK(same_bits(attended.weights, patch));
    backward(sum(attended.output));
    CHECK(fired == pass);
  }
  CHECK(patch.grad().defined());
}

TEST_CASE("a replacement of a wrong shape is refused by the point's name", "[observation]") {
  Fixture f;
  const auto handle =
      f.model.on_forward("encoder.1.context", [](const Tensor& x) { return x.transpose(1, 2); });
  check_error([&] { f.model.forward(f.tokens); }, {"encoder.1.context", "[2, 2, 3, 4]", "[2, 3, 2, 4]"});
}

TEST_CASE("the cotangent of weights is whole", "[observation]") {
  Rng rng(3);
  MultiHeadAttention attention({.d_model = 4, .heads = 2}, rng);
  attention.to(f64);
  const Tensor x = randn({1, 3, 4}, rng, f64);
  Tensor seen;
  const auto handle = attention.on_backward("weights", [&](const Tensor& d) { seen = d; });
  const Attended attended = attention.forward(x, {.weights = false});
  CHECK_FALSE(attended.weights.defined());
  backward(sum(attended.output));
  const Tensor dcontext =
      matmul(ones({1, 3, 4}, f64), attention.W_O.detach()).view({1, 3, 2, 2}).transpose(1, 2);
  check_close(seen, matmul(dcontext, attended.value_heads.detach().transpose(-1, -2)));
}

TEST_CASE("a backward hook may replace the cotangent at its point alone", "[observation]") {
  Rng rng(4);
  Dropout dropout(0.5, rng);
  dropout.eval();
  const Tensor x = ones({2}).set_requires_grad(true);
  const auto handle = dropout.on_backward("output", [](const Tensor& d) { return d * 10.0; });
  backward(sum(dropout.forward(x)) + sum(x));  // the output is x itself, used once through the point
  CHECK(values(x.grad()) == std::vector<double>{11, 11});
}

TEST_CASE("hooks are gone when a forward throws", "[observation]") {
  Fixture f;
  const NamedTensors expected = step(f.model, f.tokens);
  int fired = 0;
  try {
    const auto counting = f.model.on_forward("embedding.output", [&](const Tensor&) { ++fired; });
    const auto broken = f.model.on_forward("encoder.1.query", [](const Tensor&) { fail("interrupted"); });
    f.model.forward(f.tokens);
  } catch (const Error& error) {
    CHECK(std::string(error.what()) == "interrupted");
  }
  CHECK(fired == 1);
  check_same_bits(step(f.model, f.tokens), expected);
  CHECK(fired == 1);
}

TEST_CASE("a hook may remove itself, and may outlive its model", "[observation]") {
  HookHandle self;
  int fired = 0;
  {
    Fixture f;
    self = f.model.on_forward("head.output", [&](const Tensor&) {
      self.remove();
      ++fired;
    });
    f.model.forward(f.tokens);
    f.model.forward(f.tokens);
    CHECK(fired == 1);
    self = f.model.on_forward("head.output", [](const Tensor&) {});
  }
  self.remove();
}

TEST_CASE("a backward hook that is removed after the forward pass does not fire", "[observation]") {
  Rng rng(7);
  Linear layer({.in = 2, .out = 2}, rng);
  int fired = 0;
  auto removed = layer.on_backward("output", [&](const Tensor&) { fired += 1; });
  const auto kept = layer.on_backward("output", [&](const Tensor&) { fired += 10; });
  const Tensor loss = sum(layer.forward(ones({1, 2})));
  removed.remove();
  backward(loss);
  CHECK(fired == 10);
}

TEST_CASE("a copy of a module starts unobserved", "[observation]") {
  Rng rng(5);
  Linear layer({.in = 2, .out = 2}, rng);
  int fired = 0;
  const auto handle = layer.on_forward("output", [&](const Tensor&) { ++fired; });
  const Linear copy = layer;
  const Tensor x = ones({1, 2});
  copy.forward(x);
  CHECK(fired == 0);
  const Linear moved = std::move(layer);
  moved.forward(x);
  CHECK(fired == 1);
}

TEST_CASE("an unbatched forward fires once, in the shapes of a batch of one", "[observation]") {
  Rng rng(6);
  MultiHeadAttention attention({.d_model = 4, .heads = 2}, rng);
  std::vector<Shape> seen;
  const auto handle = attention.on_forward("weights", [&](const Tensor& x) {
    seen.push_back(x.shape());
    return x * 0.0;
  });
  const Attended attended = attention.forward(randn({3, 4}, rng));
  CHECK(seen == std::vector<Shape>{{1, 2, 3, 3}});
  CHECK(attended.weights.shape() == Shape{2, 3, 3});
  CHECK(values(attended.output) == std::vector<double>(12, 0));
}

TEST_CASE("a hook's errors say the name it was added by, whoever else adds one", "[observation]") {
  Fixture f;
  class Outer : public Module {
   public:
    explicit Outer(Module& inner) : inner_(inner) {}

   private:
    void members(Members& m) override { m.child("a_longer_name_for_the_model_within", inner_); }
    Module& inner_;
  } outer(f.model);
  HookHandle other;
  const auto handle = outer.on_forward("a_longer_name_for_the_model_within.head.output", [&](const Tensor&) {
    other = f.model.on_forward("head.output", [](const Tensor&) {});
    return ones({1});
  });
  check_error([&] { f.model.forward(f.tokens); },
              {"a_longer_name_for_the_model_within.head.output: a hook", "[1]"});
  other.remove();
}

}  // namespace headwise::testing
