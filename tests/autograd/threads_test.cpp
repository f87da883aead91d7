// Graphs and threads: models of their own on two threads, a graph handed from one thread to another, and a
// graph that two threads want at once.
#include <atomic>
#include <optional>
#include <thread>

#include "headwise/autograd/record.h"
#include "tests/support/tensors.h"

namespace headwise::testing {
namespace {

// A few training steps of a small attention model; returns its last loss and its weights.
std::vector<double> train(uint64_t seed) {
  Rng rng(seed);
  const Tensor x = randn({2, 5, 8}, rng);
  std::vector<Tensor> weights;
  for (int i = 0; i < 4; ++i) weights.push_back((randn({8, 8}, rng) * 0.3).set_requires_grad(true));
  double loss_value = 0;
  for (int step = 0; step < 20; ++step) {
    auto heads = [&](size_t i) { return linear(x, weights[i]).view({2, 5, 2, 4}).transpose(1, 2); };
    const Attention attended =
        scaled_dot_product_attention(heads(0), heads(1), heads(2), {.causal = Causal::top_left});
    const Tensor y = linear(attended.output.transpose(1, 2).reshape({2, 5, 8}), weights[3]);
    const Tensor loss = mse_loss(gelu(y), x) + sum(softmax(y, -1) * dropout(y, 0.2, rng)) * 0.01;
    backward(loss);
    loss_value = static_cast<double>(loss.item<float>());
    const NoGrad guard;
    for (Tensor& w : weights) {
      w.add_scaled(w.grad(), -0.1);
      w.zero_grad();
    }
  }
  auto result = values(cat(std::span<const Tensor>(weights), 0));
  result.push_back(loss_value);
  return result;
}

Tensor build(const Tensor& x, int depth) {
  Tensor y = x;
  for (int i = 0; i < depth; ++i) y = tanh(y * 1.01) + x;
  return sum(y);
}

}  // namespace

TEST_CASE("two models train side by side as they do alone", "[threads]") {
  const auto first = train(1), second = train(2);
  std::vector<double> together[2];
  std::thread other([&] { together[1] = train(2); });
  together[0] = train(1);
  other.join();
  CHECK(together[0] == first);
  CHECK(together[1] == second);
}

TEST_CASE("hooks and guards of two threads do not meet", "[threads]") {
  auto run = [](bool guarded, double& seen) {
    const Tensor x = from({0.0, 1.0}).set_requires_grad(true);
    for (int repeat = 0; repeat < 50; ++repeat) {
      const auto hook = on_cotangent(x, [&](const Tensor& d) { seen += d.to_vector<double>()[1]; });
      try {
        std::optional<DetectAnomaly> guard;
        if (guarded) guard.emplace();
        backward(sum(log(x)));
      } catch (const Error&) {
        seen -= 1;
      }
    }
  };
  double guarded = 0, free = 0;
  std::thread other([&] { run(true, guarded); });
  run(false, free);
  other.join();
  CHECK(guarded == -50);
  CHECK(free == 50);
}

TEST_CASE("a graph built on one thread runs and dies on another", "[threads]") {
  const Tensor x = from({0.1, 0.2, 0.3}).set_requires_grad(true);
  const Tensor expected = grad(build(x, 200), {x})[0];
  for (int repeat = 0; repeat < 5; ++repeat) {
    Tensor y;
    std::thread([&] { y = build(x, 200); }).join();
    Tensor found;
    std::thread([&] {
      found = grad(y, {x})[0];
      y = Tensor();
    }).join();
    CHECK(same_bits(found, expected));
  }
}

TEST_CASE("parts of a graph built at the same time are joined and run once", "[threads]") {
  const Tensor x = from({0.1, 0.2, 0.3}).set_requires_grad(true);
  Tensor left, right;
  std::thread other([&] { right = build(x, 100); });
  left = build(x, 100);
  other.join();
  backward(left + right);
  const Tensor on_one_thread = grad(build(x, 100) + build(x, 100), {x})[0];
  CHECK(same_bits(x.grad(), on_one_thread));
}

TEST_CASE("shared constants and shared handles are safe to use at once", "[threads]") {
  const Tensor data = arange(64, f64).view({8, 8});
  auto work = [&data] {
    double total = 0;
    for (int i = 0; i < 200; ++i) {
      const Tensor w = ones({8}, f64).set_requires_grad(true);
      // The copy is what is tested. NOLINTNEXTLINE(performance-unnecessary-copy-initialization)
      const Tensor copy = data;
      total += sum(grad(sum(copy.transpose(0, 1) * w), {w})[0]).item<double>();
    }
    return total;
  };
  double other_total = 0;
  std::thread other([&] { other_total = work(); });
  const double total = work();
  other.join();
  CHECK(total == 200.0 * 2016);
  CHECK(other_total == total);
}

TEST_CASE("recording is switched per thread", "[threads]") {
  const NoGrad guard;
  bool enabled = false;
  std::thread([&] { enabled = grad_enabled(); }).join();
  CHECK(enabled);
  CHECK_FALSE(grad_enabled());
}

TEST_CASE("a second run through a graph that is being run is refused", "[threads]") {
  const Tensor x = from({1.0}).set_requires_grad(true);
  const Tensor lower = x * 1.0;
  std::atomic<bool> inside{false}, tried{false};
  Tensor y = lower.detach().clone();
  y = record("identity", y, inputs(lower), saves(), [&](Vjp& v) {
    inside = true;
    while (!tried) std::this_thread::yield();
    v.give(0, v.cotangent());
  });
  std::thread runner([&] { backward(sum(y)); });
  while (!inside) std::this_thread::yield();
  std::string message;
  try {
    backward(y, ones({1}, f64));
  } catch (const Error& error) {
    message = error.what();
  }
  tried = true;
  runner.join();
  CHECK_THAT(message, Catch::Matchers::ContainsSubstring("being run by another call"));
  CHECK(values(x.grad()) == std::vector<double>{1});
}

}  // namespace headwise::testing
