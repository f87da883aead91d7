// Scaled dot-product attention: known values, masks of every kind, queries without keys.
#include "tests/support/tensors.h"

namespace headwise::testing {
namespace {

using Values = std::vector<double>;

// One batch, one head.
Tensor head(std::initializer_list<std::initializer_list<double>> rows) {
  return from(rows).unsqueeze(0).unsqueeze(0).clone();
}
Tensor grad_leaf(const Tensor& x) { return x.clone().set_requires_grad(true); }
Tensor mask(std::initializer_list<std::initializer_list<int64_t>> rows) { return from(rows).to(boolean); }

const auto q = [] { return head({{1, 0}, {0, 1}}); };
const auto k = [] { return head({{1, 1}, {0, 2}}); };
const auto v = [] { return head({{1, 2}, {3, 4}}); };

const double infinity = INFINITY;
constexpr double w0 = 0.6697615493266569, w1 = 0.33023845067334306;

}  // namespace

TEST_CASE("a query with no allowed key gets a zero row and sends back nothing", "[attention]") {
  for (const bool create_graph : {false, true}) {
    const Tensor query = grad_leaf(q()), key = grad_leaf(k()), value = grad_leaf(v());
    const auto found = scaled_dot_product_attention(query, key, value, {.allowed = mask({{1, 1}, {0, 0}})});
    check_close(found.weights, head({{w0, w1}, {0, 0}}));
    check_close(found.output, head({{1.6604769013466862, 2.6604769013466862}, {0, 0}}));
    CHECK(found.empty_queries == std::vector<EmptyQuery>{{0, 0, 1}});
    const auto g = grad(sum(found.output), {query, key, value}, {.create_graph = create_graph});
    check_close(g[0], head({{-0.6255943861804416, 0.6255943861804416}, {0, 0}}));
    check_close(g[1], head({{-0.6255943861804416, 0}, {0.6255943861804416, 0}}));
    check_close(g[2], head({{w0, w0}, {w1, w1}}));
    CHECK(values(found.output.select(2, 1)) == Values{0, 0});
    CHECK(values(g[0].select(2, 1)) == Values{0, 0});
  }
}

TEST_CASE("a loss that drops the empty row leaves the others whole", "[attention]") {
  const Tensor x = from({{1.0, 0.0}, {0.0, 1.0}}).set_requires_grad(true);
  const Tensor heads = x.view({1, 1, 2, 2});
  const auto found = scaled_dot_product_attention(heads, heads, heads, {.allowed = mask({{1, 1}, {0, 0}})});
  check_close(grad(sum(found.output.select(2, 0)), {x})[0], from({{w0, w0}, {w1, w1}}));
}

TEST_CASE("what a forbidden key holds is never read", "[attention]") {
  const double nan = NAN;
  for (const bool create_graph : {false, true}) {
    const Tensor query = grad_leaf(head({{1, 0}, {0, 1}, {2, 2}})),
                 key = grad_leaf(head({{1, 1}, {nan, nan}})), value = grad_leaf(head({{1, 2}, {nan, nan}}));
    const auto found = scaled_dot_product_attention(query, key, value, {.allowed = from({true, false})});
    CHECK(values(found.output) == Values{1, 2, 1, 2, 1, 2});
    CHECK(found.empty_queries.empty());
    const auto g = grad(sum(found.output), {query, key, value}, {.create_graph = create_graph});
    CHECK(values(g[0]) == Values(6, 0));
    CHECK(values(g[1]) == Values(4, 0));
    CHECK(values(g[2]) == Values{3, 3, 0, 0});
  }
}

TEST_CASE("weights below the smallest normal number are zero, and the processor's mode is put back",
          "[attention]") {
  const Tensor query = head({{1}}).to(f32), key = head({{0}, {-80}, {-95}}).to(f32);
  const Tensor weights = scaled_dot_product_attention(query, key, key, {.weights = true}).weights;
  CHECK(weights.to_vector<float>()[1] > 0);
  CHECK(weights.to_vector<float>()[2] == 0);
  const Tensor subnormal = from({1e-30f}) * from({1e-10f});
  CHECK(subnormal.item<float>() > 0);
}

TEST_CASE("a NaN that is masked in one sample changes no bit of another", "[attention]") {
  Rng rng(1);
  const Tensor x = randn({2, 2, 40, 12}, rng);
  Tensor spoilt = x.clone();
  spoilt.select(0, 1).select(1, 7).fill(NAN);
  Tensor allowed = ones({2, 1, 1, 40}, boolean);
  allowed.select(0, 1).select(2, 7).fill(0);
  auto run = [&](const Tensor& data) {
    const Tensor input = grad_leaf(data);
    const auto found = scaled_dot_product_attention(input, input, input, {.allowed = allowed});
    // The spoilt position is no key, but it is a query: its own row is NaN.
    const Tensor loss = sum(found.output.slice(2, 0, 7) * 1.5) + sum(found.output.slice(2, 8, 40));
    return std::pair(found.output.select(0, 0).clone(), grad(loss, {input})[0]);
  };
  const auto [output, gradient] = run(x);
  const auto [output_beside_nan, gradient_beside_nan] = run(spoilt);
  CHECK(same_bits(output, output_beside_nan));
  CHECK(same_bits(gradient.select(0, 0), gradient_beside_nan.select(0, 0)));
}

TEST_CASE("a NaN that may be seen is seen, and is not taken for an empty row", "[attention]") {
  const double nan = NAN;
  const auto found =
      scaled_dot_product_attention(q(), head({{nan, 1}, {0, 2}}), v(), {.allowed = mask({{1, 0}, {0, 1}})});
  const auto output = values(found.output);
  CHECK(std::isnan(output[0]));
  CHECK(std::isnan(output[1]));
  CHECK(output[2] == 3);
  CHECK(output[3] == 4);
  CHECK(found.empty_queries.empty());
}

TEST_CASE("a mask says what is allowed", "[attention]") {
  const Tensor m = mask({{1, 0}, {1, 1}});
  check_close(scaled_dot_product_attention(q(), k(), v(), {.allowed = m}).output,
              head({{1, 2}, {2.3395230986533138, 3.3395230986533138}}));
  const auto hidden = scaled_dot_product_attention(q(), k(), v(), {.allowed = !m});
  CHECK(values(hidden.output) == Values{3, 4, 0, 0});
  CHECK(hidden.empty_queries == std::vector<EmptyQuery>{{0, 0, 1}});
}

TEST_CASE("no score is low enough to be outdone by a hidden key", "[attention]") {
  // Raw scores -20000 and 3, the second hidden.
  const Tensor query = grad_leaf(head({{1}})), key = grad_leaf(head({{-20000}, {3}})),
               value = head({{5}, {7}});
  const auto found = scaled_dot_product_attention(query, key, value, {.allowed = mask({{1, 0}}), .scale = 1});
  CHECK(values(found.weights) == Values{1, 0});
  CHECK(values(grad(sum(found.output), {key})[0]) == Values{0, 0});
  // A large negative bias is not a mask, and is not taken for one.
  const auto biased =
      scaled_dot_product_attention(query, key, value, {.bias = from({{0.0, -1e4}}), .scale = 1});
  CHECK(values(biased.weights) == Values{0, 1});
  CHECK(values(scaled_dot_product_attention(query, key, value, {.bias = from({{0.0, -infinity}}), .scale = 1})
                   .weights) == Values{1, 0});
}

TEST_CASE("heads keep weights of their own", "[attention]") {
  // Width 2 as two heads of width 1: queries 2x, keys 2x and -2x.
  const Tensor x = from({{1.0, 1.0}, {-1.0, -1.0}});
  auto split = [](const Tensor& y) { return y.view({1, 2, 2, 1}).transpose(1, 2); };
  const auto found = scaled_dot_product_attention(split(x * from({2.0, 2.0})), split(x * from({2.0, -2.0})),
                                                  split(x), {.scale = 1});
  CHECK(found.weights.shape() == Shape{1, 2, 2, 2});
  constexpr double high = 0.9996646498695336, low = 0.00033535013046647816;
  check_close(found.weights.select(1, 0), from({{high, low}, {low, high}}).unsqueeze(0));
  check_close(found.weights.select(1, 1), from({{low, high}, {high, low}}).unsqueeze(0));
  CHECK(values(mean(found.weights, {1})) == Values(4, 0.5));
}

TEST_CASE("causal alignment is named where lengths differ", "[attention]") {
  const Tensor query = zeros({1, 1, 2, 1}, f64), key = zeros({1, 1, 4, 1}, f64);
  auto weights = [&](const Tensor& a, const Tensor& b, Causal causal) {
    return values(scaled_dot_product_attention(a, b, b, {.causal = causal}).weights);
  };
  const double third = 1.0 / 3;
  CHECK(weights(query, key, Causal::top_left) == Values{1, 0, 0, 0, 0.5, 0.5, 0, 0});
  CHECK(weights(query, key, Causal::bottom_right) == Values{third, third, third, 0, 0.25, 0.25, 0.25, 0.25});
  // More queries than keys: the first ones see nothing.
  CHECK(weights(key, query, Causal::bottom_right) == Values{0, 0, 0, 0, 1, 0, 0.5, 0.5});
  CHECK(weights(key, query, Causal::top_left) == Values{1, 0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5});
  CHECK(scaled_dot_product_attention(key, query, query, {.causal = Causal::bottom_right}).empty_queries ==
        std::vector<EmptyQuery>{{0, 0, 0}, {0, 0, 1}});
}

TEST_CASE("empty queries are listed by batch, head and query, or refused", "[attention]") {
  const Tensor x = ones({2, 2, 3, 4}, f64);
  Tensor allowed = ones({2, 2, 3, 3}, boolean);
  allowed.select(0, 0).select(0, 1).select(0, 2).fill(0);
  allowed.select(0, 1).select(0, 0).select(0, 0).fill(0);
  const auto found = scaled_dot_product_attention(x, x, x, {.allowed = allowed});
  CHECK(found.empty_queries == std::vector<EmptyQuery>{{0, 1, 2}, {1, 0, 0}});
  check_error(
      [&] { scaled_dot_product_attention(x, x, x, {.allowed = allowed, .refuse_empty_queries = true}); },
      {"2 queries", "batch 0", "head 1", "query 2"});
  const Tensor bias = masked_fill(zeros({2, 2, 3, 3}, f64), !allowed, -INFINITY);
  CHECK(scaled_dot_product_attention(x, x, x, {.bias = bias}).empty_queries == found.empty_queries);
}

TEST_CASE("one position attends to itself alone", "[attention]") {
  const Tensor query = grad_leaf(head({{3, -1}})), key = grad_leaf(head({{3, -1}})),
               value = grad_leaf(head({{1, -1}}));
  const auto found = scaled_dot_product_attention(query, key, value);
  CHECK(values(found.output) == Values{1, -1});
  CHECK(values(found.weights) == Values{1});
  const auto g = grad(sum(found.output), {query, key, value});
  CHECK(values(g[0]) == Values{0, 0});
  CHECK(values(g[1]) == Values{0, 0});
  CHECK(values(g[2]) == Values{1, 1});
}

TEST_CASE("arguments that do not fit are refused by name", "[attention]") {
  const Tensor x = ones({2, 2, 3, 4}, f64);
  auto refused = [&](const AttentionOptions& options, std::initializer_list<const char*> words) {
    check_error([&] { scaled_dot_product_attention(x, x, x, options); }, words);
    check_error([&] { attention_reference(x, x, x, options); }, words);
  };
  refused({.allowed = ones({3, 3}, f64)}, {"allowed", "bool", "f64", "bias"});
  refused({.allowed = ones({2, 3}, boolean)}, {"[2, 3]", "[2, 2, 3, 3]"});
  refused({.allowed = ones({1, 2, 2, 3, 3}, boolean)}, {"allowed", "[1, 2, 2, 3, 3]"});
  refused({.bias = ones({3, 3})}, {"bias", "f64", "f32"});
  refused({.bias = ones({3, 3}, boolean)}, {"bias", "bool", "allowed"});
  refused({.bias = ones({3, 4}, f64)}, {"[3, 4]"});
  check_error([&] { scaled_dot_product_attention(x, x.slice(0, 0, 1), x); }, {"key", "batch"});
  check_error([&] { scaled_dot_product_attention(x, x, x.slice(1, 0, 1)); }, {"value", "heads"});
  check_error([&] { scaled_dot_product_attention(x, x.to(f32), x); }, {"f64", "f32"});
  check_error([&] { scaled_dot_product_attention(x.slice(3, 0, 0), x.slice(3, 0, 0), x); }, {"scale"});
  check_error([&] { scaled_dot_product_attention(Tensor(), x, x); }, {"query", "undefined"});
}

}  // namespace headwise::testing
