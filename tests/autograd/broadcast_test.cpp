// Broadcasting sums gradients back to the shapes that were broadcast.
#include "tests/support/tensors.h"

namespace headwise::testing {

TEST_CASE("gradients of broadcast factors have the factors' shapes", "[broadcast]") {
  const Tensor a = from({{1.0}, {2.0}}).set_requires_grad(true);
  const Tensor b = from({{10.0, 20.0, 30.0}}).set_requires_grad(true);
  const Tensor w = from({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}});
  const Tensor loss = sum(a * b * w);
  CHECK(loss.item<double>() == 780);
  const auto g = grad(loss, {a, b});
  CHECK(same_bits(g[0], from({{140.0}, {320.0}})));
  CHECK(same_bits(g[1], from({{9.0, 12.0, 15.0}})));
}

TEST_CASE("a scalar's gradient is a scalar", "[broadcast]") {
  const Tensor s = full({}, 2, f64).set_requires_grad(true);
  const auto g = grad(sum(s * ones({2}, f64)), {s});
  CHECK(g[0].shape() == Shape{});
  CHECK(g[0].item<double>() == 2);
}

TEST_CASE("an expanded element has a gradient per place, and their sum itself", "[broadcast]") {
  const Tensor x = from({2.0}).set_requires_grad(true);
  const Tensor places = x.expand({3});
  const auto g = grad(sum(places * places), {places, x});
  CHECK(same_bits(g[0], from({4.0, 4.0, 4.0})));
  CHECK(same_bits(g[1], from({12.0})));
}

TEST_CASE("a quotient broadcasts both ways", "[broadcast]") {
  const Tensor a = from({1.0, 2.0, 3.0}).set_requires_grad(true);
  const Tensor b = ones({2, 3}, f64).set_requires_grad(true);
  const auto g = grad(sum(a / b), {a, b});
  CHECK(same_bits(g[0], from({2.0, 2.0, 2.0})));
  CHECK(same_bits(g[1], from({{-1.0, -2.0, -3.0}, {-1.0, -2.0, -3.0}})));
}

TEST_CASE("leading axes of size one keep their place", "[broadcast]") {
  const Tensor a = from({1.0, 5.0, 3.0, 2.0}).view({1, 1, 4}).clone().set_requires_grad(true);
  const Tensor b = from({{4.0, 4.0, 3.0, 9.0}}).set_requires_grad(true);
  const auto g = grad(sum(maximum(a, b)), {a, b});
  CHECK(same_bits(g[0], from({0.0, 1.0, 0.5, 0.0}).view({1, 1, 4})));
  CHECK(same_bits(g[1], from({{1.0, 0.0, 0.5, 1.0}})));
  const auto difference = grad(sum(a - b), {a, b});
  CHECK(difference[0].shape() == Shape{1, 1, 4});
  CHECK(difference[1].shape() == Shape{1, 4});
}

TEST_CASE("every elementwise op agrees with its operands written out", "[broadcast]") {
  Rng rng(1);
  const std::pair<Shape, Shape> shapes[] = {
      {{3}, {2, 3}}, {{2, 1, 3}, {4, 1}}, {{}, {2, 2}}, {{1}, {3}}, {{2, 3, 1}, {1, 1, 4}}};
  for (const auto& [sa, sb] : shapes) {
    const Tensor a = randn(sa, rng, f64), b = rand(sb, rng, f64) + 1.0;
    const Shape shape = broadcast_shapes("test", sa, sb);
    const Tensor wide_a = a.expand(shape).clone(), wide_b = b.expand(shape).clone();
    CHECK(same_bits(a + b, wide_a + wide_b));
    CHECK(same_bits(a - b, wide_a - wide_b));
    CHECK(same_bits(a * b, wide_a * wide_b));
    CHECK(same_bits(a / b, wide_a / wide_b));
    CHECK(same_bits(b / a, wide_b / wide_a));
    CHECK(same_bits(pow(b, a), pow(wide_b, wide_a)));
    CHECK(same_bits(maximum(a, b), maximum(wide_a, wide_b)));
    CHECK(same_bits(minimum(a, b), minimum(wide_a, wide_b)));
    CHECK(same_bits(where(a < b, a, b), where(wide_a < wide_b, wide_a, wide_b)));
    CHECK(same_bits(a == b, wide_a == wide_b));
  }
}

TEST_CASE("broadcast operands may be strided", "[broadcast]") {
  Rng rng(2);
  const Tensor a = randn({5, 4, 3}, rng, f64), b = randn({3, 4}, rng, f64);
  const Tensor turned = a.permute({2, 1, 0});  // (3, 4, 5)
  CHECK(same_bits(turned + b.unsqueeze(2), turned.clone() + b.unsqueeze(2).expand({3, 4, 5}).clone()));
  CHECK(
      same_bits(turned.slice(2, 1, 4) * b.unsqueeze(-1), (turned.clone() * b.unsqueeze(-1)).slice(2, 1, 4)));
}

TEST_CASE("shapes that clash name both and the axis", "[broadcast]") {
  check_error([] { ones({2, 3}) + ones({2}); }, {"add", "[2, 3]", "[2]", "axis -1"});
  check_error([] { ones({2, 3}) / ones({3, 3}); }, {"div", "axis -2"});
  check_error([] { where(ones({2}, boolean), ones({3}), ones({3})); }, {"where", "[2]", "[3]"});
}

}  // namespace headwise::testing
