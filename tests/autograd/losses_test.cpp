// Losses element by element: values by hand, reductions, the empty mean, extreme inputs.
#include <numbers>

#include "tests/support/tensors.h"

namespace headwise::testing {
namespace {

using Values = std::vector<double>;

constexpr double inf = INFINITY, nan = NAN;
using Loss = std::function<Tensor(const Tensor&, const Tensor&, Reduction)>;

struct NamedLoss {
  const char* name;
  Loss loss;
};
std::vector<NamedLoss> losses() {
  return {{"mse_loss", mse_loss},
          {"l1_loss", l1_loss},
          {"huber_loss",
           [](const Tensor& a, const Tensor& b, Reduction reduction) {
             return huber_loss(a, b, {.delta = 0.5, .reduction = reduction});
           }},
          {"bce_with_logits",
           [](const Tensor& a, const Tensor& b, Reduction reduction) {
             return bce_with_logits(a, b, {.reduction = reduction});
           }},
          {"kl_div", [](const Tensor& a, const Tensor& b,
                        Reduction reduction) { return kl_div(a, b, {.reduction = reduction}); }},
          {"kl_div of logarithms", [](const Tensor& a, const Tensor& b, Reduction reduction) {
             return kl_div(a, b, {.log_targets = true, .reduction = reduction});
           }}};
}

struct Sides {
  Tensor loss, da, db;
};
Sides run(const Loss& loss, const Tensor& a, const Tensor& b, Reduction reduction = Reduction::none) {
  const Tensor x = a.clone().set_requires_grad(true), y = b.clone().set_requires_grad(true);
  const Tensor result = loss(x, y, reduction);
  backward(result, ones(result.shape(), result.dtype()));
  return {result, x.grad(), y.grad()};
}

}  // namespace

TEST_CASE("mean squared error", "[losses]") {
  const Tensor a = from({1.0, 2.0}).set_requires_grad(true), b = from({3.0, -1.0}).set_requires_grad(true);
  const Tensor loss = mse_loss(a, b);
  CHECK(loss.item<double>() == 6.5);
  const auto g = grad(loss, {a, b});
  CHECK(values(g[0]) == Values{-2, 3});
  CHECK(values(g[1]) == Values{2, -3});
}

TEST_CASE("mean and sum reduce the elements, with their gradients, for any strides", "[losses]") {
  Rng rng(1);
  const Tensor a = randn({3, 4}, rng, f64).transpose(0, 1), b = rand({4, 3}, rng, f64);
  for (const auto& [name, loss] : losses()) {
    INFO(name);
    const Sides each = run(loss, a, b), total = run(loss, a, b, Reduction::sum),
                mean = run(loss, a, b, Reduction::mean);
    CHECK(each.loss.shape() == Shape{4, 3});
    check_close(total.loss, sum(each.loss), 1e-14);
    check_close(mean.loss, sum(each.loss) / 12.0, 1e-14);
    check_close(total.da, each.da, 1e-14);
    check_close(total.db, each.db, 1e-14);
    check_close(mean.da * 12.0, each.da, 1e-14);
    check_close(mean.db * 12.0, each.db, 1e-14);
    // A cotangent of its own for each element.
    const Tensor x = a.clone().set_requires_grad(true), weights = randn({4, 3}, rng, f64);
    backward(loss(x, b, Reduction::none), weights);
    check_close(x.grad(), each.da * weights, 1e-14);
    const Sides narrow = run(loss, a.to(f32), b.to(f32));
    CHECK(narrow.loss.dtype() == f32);
    check_close(narrow.loss.to(f64), each.loss, 1e-6);
    check_close(narrow.da.to(f64), each.da, 1e-6);
    check_close(narrow.db.to(f64), each.db, 1e-6);
  }
}

TEST_CASE("the mean and the sum over no element are zero, with zero gradient", "[losses]") {
  const Tensor nothing = zeros({2, 0}, f64);
  for (const auto& [name, loss] : losses()) {
    INFO(name);
    for (const Reduction reduction : {Reduction::mean, Reduction::sum, Reduction::none}) {
      const Sides found = run(loss, nothing, nothing, reduction);
      CHECK(found.loss.shape() == (reduction == Reduction::none ? Shape{2, 0} : Shape{}));
      CHECK(values(sum(found.loss)) == Values{0});
      CHECK(found.da.shape() == Shape{2, 0});
      CHECK(found.db.shape() == Shape{2, 0});
    }
  }
  // One element of no axes is not nothing.
  CHECK(mse_loss(full({}, 3, f64), full({}, 1, f64)).item<double>() == 4);
}

TEST_CASE("absolute and Huber's loss at their kinks", "[losses]") {
  const Tensor a = from({3.0, 1.0, -2.0, 0.5, 0.25}), zero = zeros({5}, f64);
  const Sides absolute = run(l1_loss, a, from({3.0, 0.0, 0.0, 1.0, 0.25}));
  CHECK(values(absolute.loss) == Values{0, 1, 2, 0.5, 0});
  CHECK(values(absolute.da) == Values{0, 1, -1, -1, 0});
  CHECK(values(absolute.db) == Values{0, -1, 1, 1, 0});
  // delta 1/2: d^2 / 2 up to 1/2, then (|d| - 1/4) / 2; the two meet with one slope.
  const Sides huber = run(losses()[2].loss, a, zero);
  CHECK(values(huber.loss) == Values{1.375, 0.375, 0.875, 0.125, 0.03125});
  CHECK(values(huber.da) == Values{0.5, 0.5, -0.5, 0.5, 0.25});
  CHECK(values(huber.db) == Values{-0.5, -0.5, 0.5, -0.5, -0.25});
  for (const Loss& loss : {Loss(l1_loss), losses()[2].loss}) {
    const Sides odd = run(loss, from({nan, inf, -inf}), zeros({3}, f64));
    CHECK(std::isnan(values(odd.loss)[0]));
    CHECK(values(odd.loss)[1] == inf);
    CHECK(std::isnan(values(odd.da)[0]));
    CHECK(values(odd.da)[1] == -values(odd.da)[2]);
    CHECK(std::isfinite(values(odd.da)[1]));
  }
}

// By hand: at x = 0 both parts are ln 2; at x = ln 3 the logistic function is 3/4.
TEST_CASE("binary cross-entropy by hand", "[losses]") {
  const double ln2 = std::numbers::ln2, ln3 = std::log(3.0);
  const Tensor x = from({0.0, ln3, ln3, -ln3}), t = from({1.0, 1.0, 0.0, 0.25});
  const Sides plain = run(losses()[3].loss, x, t);
  check_close(plain.loss,
              from({ln2, std::log(4.0 / 3), std::log(4.0), 0.25 * std::log(4.0) + 0.75 * std::log(4.0 / 3)}),
              1e-15);
  check_close(plain.da, from({-0.5, -0.25, 0.75, 0.0}), 1e-15);
  check_close(plain.db, from({0.0, -ln3, -ln3, ln3}), 1e-15);

  const Tensor weight = from({1.0, 2.0, 3.0, 0.0}), pos_weight = from({4.0});
  const Sides weighted = run(
      [&](const Tensor& a, const Tensor& b, Reduction reduction) {
        return bce_with_logits(a, b, {.weight = weight, .pos_weight = pos_weight, .reduction = reduction});
      },
      x, t);
  check_close(weighted.loss, from({4 * ln2, 8 * std::log(4.0 / 3), 3 * std::log(4.0), 0.0}), 1e-15);
  check_close(weighted.da, from({-2.0, -2.0, 2.25, 0.0}), 1e-15);
  check_close(weighted.db,
              from({3 * ln2, 2 * (4 * std::log(4.0 / 3) - std::log(4.0)),
                    3 * (4 * std::log(4.0 / 3) - std::log(4.0)), 0.0}),
              1e-14);
}

TEST_CASE("binary cross-entropy of distant logits is finite and exact", "[losses]") {
  const Sides found =
      run(losses()[3].loss, from({-1000.0, 1000.0, -1000.0, 1000.0, 40.0}), from({1.0, 0.0, 0.0, 1.0, 1.0}));
  const Values loss = values(found.loss);
  CHECK(Values(loss.begin(), loss.begin() + 4) == Values{1000, 1000, 0, 0});
  CHECK(std::abs(loss[4] / std::exp(-40.0) - 1) < 1e-14);
  CHECK(std::abs(values(found.da)[4] / -std::exp(-40.0) - 1) < 1e-14);
  const Values da = values(found.da);
  CHECK(Values(da.begin(), da.begin() + 4) == Values{-1, 1, 0, 0});
  const Sides narrow = run(losses()[3].loss, from({-200.0f, 200.0f}), from({1.0f, 0.0f}));
  CHECK(values(narrow.loss) == Values{200, 200});
  CHECK(values(narrow.da) == Values{-1, 1});
  // An infinite logit on the right side costs nothing; on the wrong side, everything.
  const Sides infinite = run(losses()[3].loss, from({inf, -inf, inf}), from({1.0, 0.0, 0.0}));
  CHECK(values(infinite.loss) == Values{0, 0, inf});
  CHECK(values(infinite.da) == Values{0, 0, 1});
}

TEST_CASE("the divergence runs from the targets to the prediction", "[losses]") {
  // KL((1/2, 1/2) || (1/4, 3/4)) = ln 2 / 2 + ln(2/3) / 2 = 0.14384103622589045; the other way round it is
  // ln(1/2) / 4 + 3 ln(3/2) / 4 = 0.13081203594113697.
  const Tensor even = from({0.5, 0.5}), skew = from({0.25, 0.75});
  auto divergence = [](const Tensor& prediction, const Tensor& targets) {
    const double found = kl_div(log(prediction), targets, {.reduction = Reduction::sum}).item<double>();
    const KlOptions logs{.log_targets = true, .reduction = Reduction::sum};
    CHECK(std::abs(kl_div(log(prediction), log(targets), logs).item<double>() - found) < 1e-15);
    return found;
  };
  CHECK(std::abs(divergence(skew, even) - 0.14384103622589045) < 1e-15);
  CHECK(std::abs(divergence(even, skew) - 0.13081203594113697) < 1e-15);
  CHECK(divergence(skew, skew) == 0);
}

TEST_CASE("nothing is lost where the target is zero, whatever the prediction", "[losses]") {
  const Tensor x = from({-inf, -1.0, -inf, nan}), t = from({0.0, 0.0, 0.5, 0.0});
  const Sides plain = run(losses()[4].loss, x, t), logs = run(losses()[5].loss, x, log(t));
  for (const Sides& found : {plain, logs}) {
    CHECK(values(found.loss) == Values{0, 0, inf, 0});
    CHECK(values(found.da) == Values{0, 0, -0.5, 0});
    CHECK(values(found.db) == Values{0, 0, inf, 0});
  }
  CHECK(std::isnan(values(kl_div(x, from({-0.5, -0.5, -0.5, -0.5}), {.reduction = Reduction::none}))[1]));
  // Second derivatives stay finite beside a zero target.
  const Tensor y = from({-1.0, -2.0}).set_requires_grad(true), u = from({0.0, 0.5}).set_requires_grad(true);
  const auto first = grad(kl_div(y, u, {.reduction = Reduction::sum}), {u}, {.create_graph = true});
  CHECK(values(grad(sum(first[0]), {u})[0]) == Values{0, 2});
}

TEST_CASE("an element whose loss is not asked for passes nothing", "[losses]") {
  const Tensor x = from({-inf, -1.0}).set_requires_grad(true), t = from({0.5, 0.5}).set_requires_grad(true);
  backward(kl_div(x, t, {.reduction = Reduction::none}).select(0, 1));
  CHECK(values(x.grad()) == Values{0, -0.5});
  check_close(t.grad(), from({0.0, std::log(0.5) + 2}), 1e-15);
  const Tensor logits = from({inf, 0.0}).set_requires_grad(true),
               labels = from({0.0, 1.0}).set_requires_grad(true);
  backward(bce_with_logits(logits, labels, {.reduction = Reduction::none}).select(0, 1));
  CHECK(values(logits.grad()) == Values{0, -0.5});
  CHECK(values(labels.grad()) == Values{0, 0});
}

}  // namespace headwise::testing
