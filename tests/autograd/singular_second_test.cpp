// Second derivatives at points where a part of the formula is not finite, is a tie, or is masked.
#include "tests/support/derivatives.h"

namespace headwise::testing {
namespace {

constexpr double inf = INFINITY;

Values hessian_at(const UnaryTensorFunction& f, std::initializer_list<double> at) {
  return values(hessian(f, from(at)));
}
const Tensor& weights3() {
  static const Tensor weights = from({1.0, 2.0, 4.0});
  return weights;
}

}  // namespace

TEST_CASE("curvature of softmax and its relatives at the extremes", "[singular]") {
  const UnaryTensorFunction mixed = [](const Tensor& x) { return sum(softmax(x, 0) * weights3()); };
  const UnaryTensorFunction total = [](const Tensor& x) { return logsumexp(x, 0); };
  const UnaryTensorFunction first = [](const Tensor& x) { return log_softmax(x, 0).select(0, 0); };
  const Values none(9, 0), even{0, 0, 0, 0, 0.25, -0.25, 0, -0.25, 0.25};
  CHECK(hessian_at(mixed, {-1047, -981, 1891}) == none);
  CHECK(hessian_at(mixed, {-inf, -inf, -inf}) == none);
  CHECK(hessian_at(total, {-inf, -inf, -inf}) == none);
  CHECK(hessian_at(total, {-inf, 3, 3}) == even);
  CHECK(hessian_at(first, {0, -inf, -inf}) == none);
  CHECK(hessian_at(first, {2, 2, -inf}) == Values{-0.25, 0.25, 0, 0.25, -0.25, 0, 0, 0, 0});

  const UnaryTensorFunction loss = [](const Tensor& x) { return cross_entropy(x, full({}, 1, i64)).loss; };
  CHECK(hessian_at(loss, {-inf, 3, 3}) == even);
  const Values far = hessian_at(loss, {-431, 279, 427});
  // p (1 - p) of p = 5.3e-65
  CHECK(far[4] == Approx(5.301718666092324e-65).epsilon(1e-12));
  CHECK(far[5] == -far[4]);
}

TEST_CASE("curvature of distant logits", "[singular]") {
  for (const double x : {-1000.0, 1000.0})
    for (const double target : {0.0, 1.0}) {
      const double slope = x > 0 ? 1 - target : -target;
      const auto loss = [&](const Tensor& logit) { return bce_with_logits(logit, full({}, target, f64)); };
      CHECK(jet(loss, x) == Values{slope * x, slope, 0});
    }
  for (auto* f : {sigmoid, silu, softplus, logsigmoid, tanh, erf})
    for (const double x : {-1000.0, 1000.0}) CHECK(jet(f, x)[2] == 0);
}

TEST_CASE("curvature at kinks and ties is that of the branch taken", "[singular]") {
  CHECK(jet(relu, 0) == Values{0, 0, 0});
  CHECK(jet(abs, 0) == Values{0, 0, 0});
  CHECK(jet([](const Tensor& x) { return maximum(x * x, 0); }, 0) == Values{0, 0, 1});
  CHECK(jet([](const Tensor& x) { return clamp(x * x, 0, 4); }, 2) == Values{4, 4, 2});
  CHECK(jet([](const Tensor& x) { return huber_loss(x, zeros({}, f64)); }, 0) == Values{0, 0, 1});
  CHECK(jet([](const Tensor& x) { return l1_loss(x, zeros({}, f64)); }, 0) == Values{0, 0, 0});
  CHECK(hessian_at([](const Tensor& x) { return amax(x * x); }, {3, -3, 1}) ==
        Values{1, 0, 0, 0, 1, 0, 0, 0, 0});
}

TEST_CASE("curvature where nothing varies", "[singular]") {
  CHECK(hessian_at([](const Tensor& x) { return var(x) * 3.0; }, {2, 2, 2}) ==
        Values{2, -1, -1, -1, 2, -1, -1, -1, 2});
  // The slope of stddev and norm is 0 there by rule, and so is all that follows from it.
  CHECK(hessian_at([](const Tensor& x) { return stddev(x); }, {2, 2, 2}) == Values(9, 0));
  CHECK(hessian_at([](const Tensor& x) { return norm(x); }, {0, 0, 0}) == Values(9, 0));
  // Normalised terms are odd around a constant row: no curvature.
  const UnaryTensorFunction normalised = [](const Tensor& x) {
    return sum(layer_norm(x, Tensor(), Tensor()) * weights3());
  };
  for (const double curvature : hessian_at(normalised, {2, 2, 2})) CHECK(curvature == 0);
}

TEST_CASE("entropy keeps its derivatives beside an empty class", "[singular]") {
  const Tensor p = leaf({0, 0.5});
  const Tensor y = where(p > 0, p * log(p), zeros({}, f64));
  const Tensor slope = grad(sum(y), {p}, {.create_graph = true})[0];
  CHECK(values(slope)[0] == 0);
  CHECK(values(slope)[1] == Approx(1 - std::log(2.0)));
  CHECK(values(grad(sum(slope), {p})[0]) == Values{0, 2});
}

// Of x = (two queries, two keys, two values), all of width 1.
TEST_CASE("what attention hides has no curvature and changes no other's", "[singular][attention]") {
  auto attend = [](const Tensor& x, int64_t queries, int64_t keys, const Tensor& allowed) {
    auto part = [&](int64_t start, int64_t length) {
      return x.slice(0, start, start + length).view({1, 1, length, 1});
    };
    const Attention found =
        scaled_dot_product_attention(part(0, queries), part(2, keys), part(4, keys), {.allowed = allowed});
    return sum(found.output * found.output);
  };
  SECTION("a query without a key") {
    const Tensor x = from({0.5, -1.0, 0.7, 0.2, 1.5, -0.4});
    const Tensor allowed = from({{true, true}, {false, false}});
    const Tensor whole = hessian([&](const Tensor& at) { return attend(at, 2, 2, allowed); }, x);
    const Tensor alone = hessian([&](const Tensor& at) { return attend(at, 1, 2, Tensor()); }, x);
    check_close(whole, alone, 1e-14);
    CHECK(all(whole.select(0, 1) == 0).item<bool>());
  }
  SECTION("a key that no query may see, whatever it holds") {
    const Tensor allowed = from({true, false});
    for (const double hidden : {3.0, inf, -inf, double{NAN}}) {
      CAPTURE(hidden);
      const Tensor x = from({0.5, -1.0, 0.7, hidden, 1.5, hidden});
      const Tensor whole = hessian([&](const Tensor& at) { return attend(at, 2, 2, allowed); }, x);
      const Tensor alone = hessian([&](const Tensor& at) { return attend(at, 2, 1, Tensor()); }, x);
      check_close(whole, alone, 1e-14);
      for (const int64_t position : {3, 5}) CHECK(all(whole.select(0, position) == 0).item<bool>());
    }
  }
}

}  // namespace headwise::testing
