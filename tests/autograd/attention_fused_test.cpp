// Fused attention against the same written in plain ops: odd shapes, every kind of mask, NaN behind masks,
// weights asked for or not, and sizes of zero.
#include "tests/support/tensors.h"

namespace headwise::testing {
namespace {

struct Sizes {
  int64_t batch, heads, queries, keys, width, value_width;
};

struct Operands {
  Tensor query, key, value;
};

Operands operands(const Sizes& s, DType dtype, uint64_t seed) {
  Rng rng(seed);
  // Split from (batch, length, heads x width), as a layer does: strided, no copy.
  auto make = [&](int64_t length, int64_t width) {
    return randn({s.batch, length, s.heads, width}, rng, dtype).transpose(1, 2);
  };
  return {make(s.queries, s.width), make(s.keys, s.width), make(s.keys, s.value_width)};
}

// About two thirds allowed, and no key at all for the last query of each head.
Tensor scattered(const Shape& shape, uint64_t seed) {
  Rng rng(seed);
  Tensor allowed = empty(shape, boolean);
  for (bool& bit : allowed.mutable_values<bool>()) bit = rng.below(3) > 0;
  if (shape.rank() >= 2 && shape[shape.rank() - 2] > 1)
    allowed.slice(-2, shape[shape.rank() - 2] - 1, shape[shape.rank() - 2]).fill(0);
  return allowed;
}

struct Named {
  std::string name;
  AttentionOptions options;
};

std::vector<Named> mask_kinds(const Sizes& s, DType dtype) {
  Rng rng(9);
  const Shape full{s.batch, s.heads, s.queries, s.keys};
  const Tensor bias = randn({s.heads, s.queries, s.keys}, rng, dtype);
  const Tensor forbidding = masked_fill(bias, scattered({s.queries, s.keys}, 4), -INFINITY);
  return {{"none", {}},
          {"scaled", {.scale = -0.7}},
          {"per query and key", {.allowed = scattered({s.queries, s.keys}, 1)}},
          {"padding", {.allowed = scattered({s.batch, 1, 1, s.keys}, 2)}},
          {"per head", {.allowed = scattered(full, 3)}},
          {"nothing allowed", {.allowed = zeros({}, boolean)}},
          {"causal, top left", {.causal = Causal::top_left}},
          {"causal, bottom right", {.causal = Causal::bottom_right}},
          {"bias", {.bias = bias}},
          {"bias per row of the batch", {.bias = randn({s.batch, 1, 1, s.keys}, rng, dtype)}},
          {"forbidding bias", {.bias = forbidding}},
          {"all at once", {.allowed = scattered(full, 5), .bias = bias, .causal = Causal::bottom_right}}};
}

struct Outcome {
  Attention attention;
  std::vector<Tensor> gradients;
};

// Output, weights and all gradients for random cotangents of both.
Outcome run(bool fused, const Operands& at, AttentionOptions options, bool create_graph = false,
            bool weights_matter = true) {
  std::vector<Tensor> leaves;
  auto leaf = [&](const Tensor& x) {
    // A strided leaf: what the heads of a projection are.
    Tensor y = x.transpose(1, 2).clone().transpose(1, 2).detach();
    leaves.push_back(y.set_requires_grad(true));
    return y;
  };
  const Tensor q = leaf(at.query), k = leaf(at.key), v = leaf(at.value);
  if (options.bias.defined()) leaves.push_back(options.bias = options.bias.clone().set_requires_grad(true));
  Outcome found{
      fused ? scaled_dot_product_attention(q, k, v, options) : attention_reference(q, k, v, options), {}};
  std::vector<Tensor> outputs{found.attention.output}, cotangents;
  if (found.attention.weights.defined() && weights_matter) outputs.push_back(found.attention.weights);
  Rng rng(77);
  for (const Tensor& output : outputs) cotangents.push_back(randn(output.shape(), rng, output.dtype()));
  found.gradients = grad(outputs, leaves, cotangents, {.create_graph = create_graph, .allow_unused = true});
  return found;
}

const Sizes odd_sizes[] = {{1, 1, 1, 1, 1, 1},    {2, 3, 5, 7, 4, 3},    {1, 2, 17, 9, 8, 8},
                           {3, 1, 2, 33, 5, 1},   {1, 1, 70, 300, 3, 2}, {2, 2, 3, 1, 16, 16},
                           {1, 4, 16, 16, 32, 32}};

}  // namespace

TEST_CASE("fused attention agrees with plain ops in output and all gradients", "[attention]") {
  for (const Sizes& s : odd_sizes)
    for (const auto& [name, options] : mask_kinds(s, f64)) {
      INFO(name << " at " << to_string({s.batch, s.heads, s.queries, s.keys, s.width, s.value_width}));
      const Operands at = operands(s, f64, 1);
      const Outcome plain = run(false, at, options);
      for (const bool create_graph : {false, true}) {
        const Outcome fused = run(true, at, options, create_graph);
        check_close(fused.attention.output, plain.attention.output, 1e-13);
        check_close(fused.attention.weights, plain.attention.weights, 1e-13);
        REQUIRE(fused.gradients.size() == plain.gradients.size());
        for (size_t i = 0; i < plain.gradients.size(); ++i)
          check_close(fused.gradients[i], plain.gradients[i], 1e-13);
      }
    }
}

TEST_CASE("the two agree in f32 too", "[attention]") {
  const Sizes s{2, 2, 19, 23, 12, 8};
  for (const auto& [name, options] : mask_kinds(s, f32)) {
    INFO(name);
    const Operands at = operands(s, f32, 1);
    const Outcome plain = run(false, at, options), fused = run(true, at, options);
    check_close(fused.attention.output, plain.attention.output, 2e-6);
    for (size_t i = 0; i < plain.gradients.size(); ++i)
      check_close(fused.gradients[i], plain.gradients[i], 5e-6);
  }
}

TEST_CASE("NaN behind a mask reaches neither form", "[attention]") {
  const Sizes s{2, 2, 4, 6, 5, 3};
  const Operands at = operands(s, f64, 2);
  Operands spoilt{at.query.clone(), at.key.clone(), at.value.clone()};
  // Key 5 is padding in sample 1, key 3 is hidden from all of head 0 of sample 0; query 2 there sees nothing.
  Tensor allowed = ones({2, 2, 4, 6}, boolean);
  auto spoil = [&](int64_t batch, int64_t head, int64_t key, double value) {
    spoilt.key.select(0, batch).select(0, head).select(0, key).fill(value);
    spoilt.value.select(0, batch).select(0, head).select(0, key).fill(value);
    allowed.select(0, batch).select(0, head).select(1, key).fill(0);
  };
  spoil(1, 0, 5, NAN);
  spoil(1, 1, 5, INFINITY);
  spoil(0, 0, 3, -INFINITY);
  allowed.select(0, 0).select(0, 0).select(0, 2).fill(0);
  spoilt.query.select(0, 0).select(0, 0).select(0, 2).fill(NAN);

  const Tensor bias = masked_fill(zeros({2, 2, 4, 6}, f64), !allowed, -INFINITY);
  for (const AttentionOptions& options :
       {AttentionOptions{.allowed = allowed}, AttentionOptions{.bias = bias}}) {
    const Outcome clean = run(true, at, options);
    for (const bool fused : {true, false})
      for (const bool create_graph : {false, true}) {
        CAPTURE(fused, create_graph);
        const Outcome found = run(fused, spoilt, options, create_graph);
        check_close(found.attention.output, clean.attention.output, 1e-13);
        check_close(found.attention.weights, clean.attention.weights, 1e-13);
        for (size_t i = 0; i < clean.gradients.size(); ++i)
          check_close(found.gradients[i], clean.gradients[i], 1e-13);
      }
  }
}

TEST_CASE("a cotangent of a forbidden weight is never read", "[attention]") {
  const Operands at = operands({1, 1, 2, 3, 2, 2}, f64, 3);
  const Tensor allowed = from({true, false, true});
  auto gradients = [&](double behind_the_mask) {
    const Tensor q = at.query.clone().set_requires_grad(true), k = at.key.clone().set_requires_grad(true);
    const auto found = scaled_dot_product_attention(q, k, at.value, {.allowed = allowed});
    const Tensor cotangent = from({1.0, behind_the_mask, 2.0}).expand({1, 1, 2, 3});
    return grad(std::vector{found.weights}, std::vector{q, k}, std::vector{cotangent});
  };
  const auto clean = gradients(0);
  for (const double wild : {double{NAN}, double{INFINITY}}) {
    const auto found = gradients(wild);
    CHECK(same_bits(found[0], clean[0]));
    CHECK(same_bits(found[1], clean[1]));
  }
}

TEST_CASE("asking for the weights changes no bit", "[attention]") {
  for (const DType dtype : {f32, f64})
    for (const Sizes& s : {Sizes{2, 3, 5, 7, 4, 3}, Sizes{1, 2, 90, 600, 8, 8}})  // kept and worked out again
      for (const auto& [name, options] : mask_kinds(s, dtype)) {
        INFO(name);
        AttentionOptions without = options;
        without.weights = false;
        const Operands at = operands(s, dtype, 4);
        const Outcome a = run(true, at, options, false, false), b = run(true, at, without, false, false);
        CHECK_FALSE(b.attention.weights.defined());
        CHECK(same_bits(a.attention.output, b.attention.output));
        CHECK(a.attention.empty_queries == b.attention.empty_queries);
        for (size_t i = 0; i < a.gradients.size(); ++i) CHECK(same_bits(a.gradients[i], b.gradients[i]));
        const NoGrad guard;
        CHECK(same_bits(scaled_dot_product_attention(at.query, at.key, at.value, without).output,
                        a.attention.output));
      }
}

TEST_CASE("any subset of the operands may ask for a gradient", "[attention]") {
  const Operands at = operands({2, 2, 3, 4, 3, 2}, f64, 5);
  const Tensor bias = ones({3, 4}, f64);
  const auto all = run(true, at, {.bias = bias});
  for (int subset = 1; subset < 16; ++subset)
    for (const bool create_graph : {false, true}) {
      CAPTURE(subset, create_graph);
      std::vector<Tensor> operand{at.query.clone(), at.key.clone(), at.value.clone(), bias.clone()}, asked;
      for (size_t i = 0; i < 4; ++i)
        if (subset >> i & 1) asked.push_back(operand[i].set_requires_grad(true));
      const auto found =
          scaled_dot_product_attention(operand[0], operand[1], operand[2], {.bias = operand[3]});
      Rng rng(77);
      const std::vector outputs{found.output, found.weights},
          cotangents{randn(found.output.shape(), rng, f64), randn(found.weights.shape(), rng, f64)};
      const auto g = grad(outputs, asked, cotangents, {.create_graph = create_graph});
      size_t next = 0;
      for (size_t i = 0; i < 4; ++i)
        if (subset >> i & 1) check_close(g[next++], all.gradients[i], 1e-14);
    }
}

TEST_CASE("sizes of zero are defined", "[attention]") {
  for (const Sizes& s : {Sizes{0, 2, 3, 4, 2, 2}, Sizes{2, 0, 3, 4, 2, 2}, Sizes{2, 2, 0, 4, 2, 2},
                         Sizes{2, 2, 3, 0, 2, 2}, Sizes{2, 2, 3, 4, 2, 0}, Sizes{1, 1, 0, 0, 1, 1}})
    for (const bool create_graph : {false, true})
      for (const AttentionOptions& options :
           {AttentionOptions{}, AttentionOptions{.causal = Causal::top_left}}) {
        INFO(to_string({s.batch, s.heads, s.queries, s.keys, s.width, s.value_width}));
        const Operands at = operands(s, f64, 6);
        const Outcome found = run(true, at, options, create_graph), plain = run(false, at, options);
        CHECK(found.attention.output.shape() == Shape{s.batch, s.heads, s.queries, s.value_width});
        CHECK(found.attention.weights.shape() == Shape{s.batch, s.heads, s.queries, s.keys});
        check_close(found.attention.output, plain.attention.output);
        for (size_t i = 0; i < 3; ++i) {
          REQUIRE(found.gradients[i].defined());
          check_close(found.gradients[i], plain.gradients[i]);
        }
        if (s.keys == 0)
          CHECK(static_cast<int64_t>(found.attention.empty_queries.size()) == s.batch * s.heads * s.queries);
      }
}

}  // namespace headwise::testing
