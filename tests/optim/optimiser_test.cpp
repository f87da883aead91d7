// Optimisers: first steps against known values, whole runs against their formulas, refusals, and bits.
#include "headwise/optim/optim.h"
#include "tests/support/tensors.h"
#include "tests/support/threads.h"

namespace headwise::testing {
namespace {

using Values = std::vector<double>;

Tensor parameter_of(double value, DType dtype = f64) {
  return full({1}, value, dtype).set_requires_grad(true);
}

// The parameter after each of the given gradients.
template <class Optim, class Options>
Values run(const Options& options, const Values& gradients) {
  Tensor p = parameter_of(1);
  Optim optimiser({{"p", p}}, options);
  Values path;
  for (const double g : gradients) {
    p.set_grad(full({1}, g, f64));
    optimiser.step();
    path.push_back(values(p)[0]);
  }
  return path;
}

void check_path(const Values& found, const Values& right) {
  REQUIRE(found.size() == right.size());
  for (size_t i = 0; i < found.size(); ++i)
    CHECK(std::abs(found[i] - right[i]) <= 1e-12 * std::max(1.0, std::abs(right[i])));
}

}  // namespace

TEST_CASE("Adam adds epsilon to the root of the corrected moment", "[optim]") {
  check_path(run<Adam>(AdamOptions{.lr = 1e-3}, {1e-8}), {0.9995});
  check_path(run<Adam>(AdamOptions{.lr = 0.01}, {0.1, -0.2, 0.3}),
             {0.9900000009999999, 0.9936610360388488, 0.9902286253947742});
  CHECK(run<Adam>(AdamOptions{}, {0, 0, 0}) == Values{1, 1, 1});
}

TEST_CASE("SGD starts its buffer at the gradient, undampened", "[optim]") {
  const Values g{2, 2, 2};
  check_path(run<SGD>(SgdOptions{.lr = 0.1}, g), {0.8, 0.6, 0.4});
  check_path(run<SGD>(SgdOptions{.lr = 0.1, .momentum = 0.9}, g), {0.8, 0.42, -0.122});
  check_path(run<SGD>(SgdOptions{.lr = 0.1, .momentum = 0.9, .dampening = 0.5}, g), {0.8, 0.52, 0.168});
  check_path(run<SGD>(SgdOptions{.lr = 0.1, .momentum = 0.9, .nesterov = true}, g), {0.62, 0.078, -0.6098});
  check_path(run<SGD>(SgdOptions{.lr = 0.1, .weight_decay = 0.1}, {2}), {0.79});
}

TEST_CASE("Adam and AdamW follow their formulas", "[optim]") {
  Rng rng(1);
  Values gradients(40);
  rng.fill_normal(std::span(gradients));
  for (const bool decoupled : {false, true})
    for (const double decay : {0.0, 0.1}) {
      const AdamOptions o{.lr = 0.02, .beta1 = 0.8, .beta2 = 0.95, .epsilon = 1e-3, .weight_decay = decay};
      Values right;
      double p = 1, m = 0, v = 0, t = 0;
      for (double g : gradients) {
        ++t;
        if (decoupled) {
          p -= o.lr * decay * p;
        } else {
          g += decay * p;
        }
        m = o.beta1 * m + (1 - o.beta1) * g;
        v = o.beta2 * v + (1 - o.beta2) * g * g;
        const double corrected_m = m / (1 - std::pow(o.beta1, t)),
                     corrected_v = v / (1 - std::pow(o.beta2, t));
        p -= o.lr * corrected_m / (std::sqrt(corrected_v) + o.epsilon);
        right.push_back(p);
      }
      check_path(decoupled ? run<AdamW>(o, gradients) : run<Adam>(o, gradients), right);
    }
}

TEST_CASE("the learning rate may change between steps", "[optim]") {
  Tensor p = parameter_of(1);
  SGD sgd({{"p", p}}, {.lr = 0.5});
  p.set_grad(full({1}, 1, f64));
  sgd.step();
  sgd.set_lr(0.25);
  sgd.step();
  CHECK(values(p)[0] == 0.25);
  CHECK(sgd.lr() == 0.25);
  check_error([&] { sgd.set_lr(-1); }, {"SGD", "lr", "-1"});
  CHECK(sgd.lr() == 0.25);
}

TEST_CASE("parameters without a gradient stay as they are, their state too", "[optim]") {
  auto try_out = [](auto make) {
    Tensor busy = parameter_of(1), idle = parameter_of(1);
    auto optimiser = make(NamedTensors{{"busy", busy}, {"idle", idle}});
    const uint32_t untouched = idle.version();
    for (int i = 0; i < 3; ++i) {
      busy.set_grad(full({1}, 2, f64));
      optimiser.step();
    }
    CHECK(values(busy)[0] != 1);
    CHECK(values(idle)[0] == 1);
    CHECK(idle.version() == untouched);
    // Its first step comes out as the other one's did.
    Tensor fresh = parameter_of(1);
    auto other = make(NamedTensors{{"fresh", fresh}});
    optimiser.zero_grad();
    CHECK_FALSE(busy.grad().defined());
    const double before = values(busy)[0];
    idle.set_grad(full({1}, 2, f64));
    fresh.set_grad(full({1}, 2, f64));
    optimiser.step();
    other.step();
    CHECK(same_bits(idle, fresh));
    CHECK(values(busy)[0] == before);
  };
  try_out(
      [](NamedTensors p) { return SGD(std::move(p), {.lr = 0.1, .momentum = 0.9, .weight_decay = 0.1}); });
  try_out([](NamedTensors p) { return Adam(std::move(p), {.lr = 0.1}); });
  try_out([](NamedTensors p) { return AdamW(std::move(p), {.lr = 0.1, .weight_decay = 0.1}); });
}

TEST_CASE("steps change parameters in place, outside the graph, and are seen by version checks", "[optim]") {
  Tensor p = parameter_of(3);
  Adam adam({{"p", p}}, {.lr = 0.1});
  const Tensor loss = sum(p * p);
  backward(loss, {.retain_graph = true});
  adam.step();
  CHECK(p.is_leaf());
  CHECK(p.requires_grad());
  check_error([&] { backward(loss); }, {"mul", "changed in place"});
}

TEST_CASE("gradients may be strided", "[optim]") {
  Tensor a = ones({2, 3}, f64).set_requires_grad(true), b = ones({2, 3}, f64).set_requires_grad(true);
  const Tensor g = arange(6, f64).view({3, 2}).transpose(0, 1);
  a.set_grad(g);
  b.set_grad(g.clone());
  SGD first({{"a", a}}, {.lr = 0.1}), second({{"b", b}}, {.lr = 0.1});
  first.step();
  second.step();
  CHECK(same_bits(a, b));
  a.set_grad(full({}, 2, f64).expand({2, 3}));
  first.step();
  CHECK(std::abs(values(a)[1] - 0.6) < 1e-15);
}

TEST_CASE("the bits of a step do not depend on threads or on a parameter's neighbours", "[optim]") {
  Rng rng(2);
  constexpr int64_t n = 200003;
  const Tensor start = randn({n}, rng), gradient = randn({n}, rng);
  auto train = [&](int threads, int64_t from, int64_t to, bool adam) {
    const Threads guard(threads);
    Tensor p = start.slice(0, from, to).clone().set_requires_grad(true);
    p.set_grad(gradient.slice(0, from, to).clone());
    if (adam) {
      AdamW optimiser({{"p", p}}, {.weight_decay = 0.01});
      for (int i = 0; i < 3; ++i) optimiser.step();
    } else {
      SGD optimiser({{"p", p}}, {.momentum = 0.9, .weight_decay = 0.01, .nesterov = true});
      for (int i = 0; i < 3; ++i) optimiser.step();
    }
    return p;
  };
  for (const bool adam : {false, true}) {
    const Tensor expected = train(1, 0, n, adam);
    for (const int threads : {2, 3, 4}) CHECK(same_bits(train(threads, 0, n, adam), expected));
    CHECK(same_bits(train(1, 5, 42, adam), expected.slice(0, 5, 42)));
  }
}

TEST_CASE("bad options are refused by name and value", "[optim]") {
  const NamedTensors p{{"p", parameter_of(1)}};
  const double nan = NAN, infinity = INFINITY;
  for (const double lr : {-0.1, nan, infinity}) {
    check_error([&] { Adam(p, {.lr = lr}); }, {"Adam", "lr"});
    check_error([&] { SGD(p, {.lr = lr}); }, {"SGD", "lr"});
  }
  for (const double beta : {-0.1, 1.0, 1.5, nan}) {
    check_error([&] { Adam(p, {.beta1 = beta}); }, {"Adam", "beta1", "[0, 1)"});
    check_error([&] { AdamW(p, {.beta2 = beta}); }, {"AdamW", "beta2"});
  }
  check_error([&] { Adam(p, {.epsilon = -1e-8}); }, {"epsilon", "-1e-08"});
  check_error([&] { Adam(p, {.epsilon = nan}); }, {"epsilon", "nan"});
  check_error([&] { AdamW(p, {.weight_decay = -1}); }, {"AdamW", "weight_decay"});
  check_error([&] { SGD(p, {.momentum = -0.5}); }, {"SGD", "momentum", "-0.5"});
  check_error([&] { SGD(p, {.momentum = 0.9, .dampening = nan}); }, {"SGD", "dampening", "nan"});
  check_error([&] { SGD(p, {.weight_decay = nan}); }, {"SGD", "weight_decay"});
  check_error([&] { SGD(p, {.momentum = 0.9, .dampening = 0.1, .nesterov = true}); }, {"nesterov", "0.1"});
  check_error([&] { SGD(p, {.nesterov = true}); }, {"nesterov", "momentum"});
}

TEST_CASE("what is no parameter is refused by name", "[optim]") {
  const Tensor p = parameter_of(1);
  check_error([&] { Adam({{"w", full({1}, 1, f64)}}, {}); }, {"Adam", "w", "leaf"});
  check_error([&] { Adam({{"w", p * 2.0}}, {}); }, {"w", "leaf"});
  check_error([&] { SGD({{"a", p}, {"b", p}}, {}); }, {"SGD", "a", "b", "same tensor"});
  check_error([&] { SGD({{"w", Tensor()}}, {}); }, {"SGD", "w"});
  check_error(
      [&] {
        SGD({{"w", zeros({2, 3}, f64).transpose(0, 1).set_requires_grad(true)}}, {});
      },
      {"w", "contiguous"});
}

TEST_CASE("f32 parameters are stepped in f32", "[optim]") {
  Tensor p = parameter_of(1, f32);
  Adam adam({{"p", p}}, {.lr = 0.01});
  for (const double g : {0.1, -0.2, 0.3}) {
    p.set_grad(full({1}, g, f32));
    adam.step();
  }
  CHECK(p.dtype() == f32);
  CHECK(std::abs(values(p)[0] / 0.9902286253947742 - 1) < 1e-6);
}

}  // namespace headwise::testing
