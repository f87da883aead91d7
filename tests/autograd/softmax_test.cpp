// Softmax and its relatives at the extremes, along any axis, fused and composed.
#include <functional>

#include "tests/support/tensors.h"

namespace headwise::testing {
namespace {

using Values = std::vector<double>;
const double inf = INFINITY;

Tensor leaf(std::initializer_list<double> values) { return from(values).set_requires_grad(true); }

// The gradient for an upstream cotangent, once by the fused rule and once by the composed one.
Values gradient(const Tensor& output, const Tensor& input, const Tensor& cotangent) {
  const std::vector outputs{output}, inputs{input}, cotangents{cotangent};
  auto fused = values(grad(outputs, inputs, cotangents, {.retain_graph = true})[0]);
  const Tensor composed = grad(outputs, inputs, cotangents, {.create_graph = true})[0];
  check_close(composed, from_values<double>(fused, input.shape()), 1e-15);
  return fused;
}

}  // namespace

TEST_CASE("softmax survives large and distant scores", "[softmax]") {
  const Tensor x = leaf({-1047, -981, 1891});
  const Tensor y = softmax(x, 0);
  CHECK(values(y) == Values{0, 0, 1});
  CHECK(gradient(y, x, from({1.0, 2.0, 3.0})) == Values{0, 0, 0});
  CHECK(values(softmax(from({1e300, 1e300}), 0)) == Values{0.5, 0.5});
  CHECK(values(softmax(from({-1e300, -1e300}), 0)) == Values{0.5, 0.5});
}

TEST_CASE("log-softmax keeps what softmax loses", "[softmax]") {
  const float half = -0.69314718f;
  const Tensor far = from({{1e8f, 1e8f}});
  CHECK(log_softmax(far, 1).to_vector<float>() == std::vector<float>{half, half});
  CHECK(cross_entropy(far, from<int64_t>({1})).loss.item<float>() == -half);
  // Their gradients see two equal classes too.
  for (const bool create_graph : {false, true}) {
    const Tensor logits = far.clone().set_requires_grad(true);
    const Tensor loss = cross_entropy(logits, from<int64_t>({1})).loss;
    check_close(grad(loss, {logits}, {.create_graph = create_graph})[0], from({{0.5f, -0.5f}}), 1e-7);
    const Tensor total = sum(logsumexp(logits, 1));
    check_close(grad(total, {logits}, {.create_graph = create_graph})[0], from({{0.5f, 0.5f}}), 1e-7);
  }
  const Tensor x = leaf({0, -inf});
  const Tensor y = log_softmax(x, 0);
  CHECK(values(y) == Values{0, -inf});
  CHECK(gradient(y, x, from({1.0, 0.0})) == Values{0, 0});
  CHECK(values(log_softmax(from({0.0, -800.0}), 0)) == Values{0, -800});
}

TEST_CASE("logsumexp over nothing possible is minus infinity without gradient", "[softmax]") {
  const Tensor x = leaf({-inf, -inf});
  const Tensor y = logsumexp(x, 0);
  CHECK(y.item<double>() == -inf);
  CHECK(gradient(y, x, full({}, 1, f64)) == Values{0, 0});
  CHECK(logsumexp(from({1000.0, 1000.0}), 0).item<double>() == 1000 + std::log(2.0));
  CHECK(logsumexp(zeros({0}, f64), 0).item<double>() == -inf);
  CHECK(logsumexp(from({inf, 0.0}), 0).item<double>() == inf);
}

TEST_CASE("a row of minus infinity is a row of zeros without gradient", "[softmax]") {
  const Tensor x = from({{-inf, -inf}, {0.0, -inf}}).set_requires_grad(true);
  const Tensor y = softmax(x, 1);
  CHECK(values(y) == Values{0, 0, 1, 0});
  CHECK(gradient(y, x, from({{1.0, 2.0}, {3.0, 4.0}})) == Values{0, 0, 0, 0});
}

TEST_CASE("NaN and plus infinity make their row NaN and no other", "[softmax]") {
  const double nan = NAN;
  const Tensor x =
      from({{0.0, nan, 1.0}, {nan, -inf, -inf}, {-inf, -inf, nan}, {inf, 0.0, 1.0}, {0.0, 0.0, 0.0}})
          .set_requires_grad(true);
  for (const Tensor& y : {softmax(x, 1), log_softmax(x, 1)}) {
    const auto all = values(y);
    for (size_t i = 0; i < 9; ++i) CHECK(std::isnan(all[i]));
    CHECK(std::isnan(all[9]));
    for (size_t i = 12; i < 15; ++i) CHECK(std::isfinite(all[i]));
  }
  const Tensor sums = logsumexp(x, 1);
  const auto totals = values(sums);
  for (size_t i = 0; i < 3; ++i) CHECK(std::isnan(totals[i]));
  CHECK(totals[3] == inf);
  const auto composed = values(grad(sum(sums), {x}, {.create_graph = true})[0]);
  const auto fused = values(grad(sum(sums), {x})[0]);
  for (size_t i = 0; i < 9; ++i) {
    CHECK(std::isnan(fused[i]));
    CHECK(std::isnan(composed[i]));
  }
  for (size_t i = 12; i < 15; ++i) CHECK(std::abs(fused[i] - 1.0 / 3) < 1e-15);
}

TEST_CASE("rows of every length add up to one and agree along any axis", "[softmax]") {
  Rng rng(1);
  for (const int64_t n : {1, 2, 3, 7, 8, 9, 16, 17, 31, 64, 100, 1023, 1025, 3000}) {
    CAPTURE(n);
    const Tensor x = randn({3, n}, rng, f64) * 4.0;
    const Tensor y = softmax(x, -1);
    check_close(sum(y, {1}), ones({3}, f64), 1e-14);
    CHECK(same_bits(softmax(x.transpose(0, 1), 0).transpose(0, 1), y));
    CHECK(same_bits(softmax(x.unsqueeze(1).expand({3, 2, n}), 2).select(1, 1), y));
    check_close(exp(log_softmax(x, 1)), y, 1e-14);
    check_close(x - logsumexp(x, 1, true), log_softmax(x, 1), 1e-14);
    // Written in the plainest way, with no shift.
    const Tensor plain = exp(x) / sum(exp(x), {1}, true);
    check_close(y, plain, 1e-14);
  }
  CHECK(softmax(zeros({3, 0}, f64), 1).shape() == Shape{3, 0});
  CHECK(softmax(zeros({0, 3}, f64), 1).shape() == Shape{0, 3});
}

TEST_CASE("the exponential is within an ulp or so over its whole range", "[softmax]") {
  std::vector<double> x{-inf, inf, 0.0, -0.0, 710, -746, -745, 709.78, -708.5, 1e-300};
  for (int i = -7000; i < 7000; ++i) x.push_back(0.1003 * i);
  const auto y = values(exp(from_values<double>(x, {static_cast<int64_t>(x.size())})));
  double worst = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double expected = std::exp(x[i]);
    if (y[i] == expected) continue;
    const double ulp = std::nextafter(expected, inf) - expected;
    worst = std::max(worst, std::abs(y[i] - expected) / ulp);
  }
  CHECK(worst <= 1);
  CHECK(std::isnan(values(exp(full({1}, NAN, f64)))[0]));

  std::vector<float> singles;
  for (int i = -1040; i < 890; ++i) singles.push_back(0.1003f * static_cast<float>(i));
  const auto exponentials =
      exp(from_values<float>(singles, {static_cast<int64_t>(singles.size())})).to_vector<float>();
  float worst_single = 0;
  for (size_t i = 0; i < singles.size(); ++i) {
    const auto expected = static_cast<float>(std::exp(static_cast<double>(singles[i])));
    if (exponentials[i] == expected) continue;
    const float ulp = std::nextafter(expected, INFINITY) - expected;
    worst_single = std::max(worst_single, std::abs(exponentials[i] - expected) / ulp);
  }
  CHECK(worst_single <= 1);
}

}  // namespace headwise::testing
