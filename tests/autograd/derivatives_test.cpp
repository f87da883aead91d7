// Jacobians, Hessians and their products with vectors, of any order.
#include "headwise/autograd/derivatives.h"

#include "tests/support/derivatives.h"

namespace headwise::testing {
namespace {

// The matrix of third derivatives of a scalar function, by nesting.
Tensor third(const UnaryTensorFunction& f, const Tensor& x) {
  return jacobian([&](const Tensor& at) { return hessian(f, at, {.create_graph = true}); }, x);
}

// Third derivatives against central differences of the Hessian.
void check_third(const UnaryTensorFunction& f, const Tensor& x) {
  const Tensor exact = third(f, x);
  const int64_t n = x.numel();
  REQUIRE(exact.numel() == n * n * n);
  Tensor numeric = zeros({n, n, n}, f64);
  constexpr double step = 1e-4;
  for (int64_t k = 0; k < n; ++k) {
    auto at = [&](double offset) {
      Tensor moved = x.clone();
      moved.mutable_values<double>()[static_cast<size_t>(k)] += offset;
      return hessian(f, moved).reshape({n, n});
    };
    numeric.select(2, k).copy_from((at(step) - at(-step)) / (2 * step));
  }
  check_close(exact.reshape({n, n, n}), numeric, 1e-6);
}

Tensor rosenbrock(const Tensor& at) {
  const Tensor x = at.select(0, 0), y = at.select(0, 1);
  return square(1.0 - x) + 100.0 * square(y - square(x));
}

}  // namespace

TEST_CASE("a Jacobian has the output's axes, then the input's", "[derivatives]") {
  const Tensor a = random({2, 3}, 1), b = random({3, 4}, 2);
  const auto by = jacobian([](const Args& x) { return matmul(x[0], x[1]); }, {a, b});
  REQUIRE(by.size() == 2);
  CHECK(by[0].shape() == Shape{2, 4, 2, 3});
  CHECK(by[1].shape() == Shape{2, 4, 3, 4});
  // d (a b)_ij / d a_kl = [i = k] b_lj
  check_close(by[0], einsum("ik,jl->ijkl", one_hot(arange(2), 2, f64), b.transpose(0, 1)));
  check_close(by[1], einsum("ik,jl->ijkl", a, one_hot(arange(4), 4, f64)));

  CHECK(jacobian([](const Tensor& x) { return sum(x); }, a).shape() == Shape{2, 3});
  CHECK(values(jacobian([](const Tensor& x) { return x * x; }, full({}, 3, f64))) == Values{6});
  CHECK(jacobian([](const Tensor& x) { return x * 2.0; }, zeros({0, 3}, f64)).shape() == Shape{0, 3, 0, 3});
  CHECK(jacobian(relu, ones({2})).dtype() == f32);
}

TEST_CASE("what an output does not depend on has zero derivatives", "[derivatives]") {
  const Tensor a = random({2}, 1), b = random({3}, 2);
  const auto by = jacobian([](const Args& x) { return x[0] * 2.0; }, {a, b});
  CHECK(values(by[1]) == Values(6, 0));
  CHECK(values(jacobian([](const Tensor&) { return ones({2}, f64); }, a)) == Values(4, 0));
  const auto blocks = hessian([](const Args& x) { return sum(x[0] * 2.0); }, {a, b});
  CHECK(values(blocks[0][0]) == Values(4, 0));
  CHECK(values(blocks[1][0]) == Values(6, 0));
}

TEST_CASE("inputs that cannot be differentiated are passed on", "[derivatives]") {
  const Args inputs{random({2, 3}, 1), from<int64_t>({2, 0})};
  const TensorFunction loss = [](const Args& x) { return cross_entropy(x[0], x[1]).loss; };
  const auto by = jacobian(loss, inputs);
  CHECK(by[0].shape() == Shape{2, 3});
  CHECK_FALSE(by[1].defined());
  const auto blocks = hessian(loss, inputs);
  CHECK(blocks[0][0].shape() == Shape{2, 3, 2, 3});
  CHECK_FALSE(blocks[0][1].defined());
  CHECK_FALSE(blocks[1][0].defined());
  CHECK_FALSE(hvp(loss, inputs, {ones({2, 3}, f64), Tensor()})[1].defined());
}

TEST_CASE("Hessians of known functions", "[derivatives]") {
  CHECK(values(hessian([](const Tensor& x) { return square(sqrt(x) - 1.0); }, full({}, 1, f64))) ==
        Values{0.5});
  CHECK(values(hessian([](const Tensor& x) { return pow(x, 2); }, full({}, 0, f64))) == Values{2});
  const UnaryTensorFunction product = [](const Tensor& at) {
    return square(at.select(0, 0)) * square(at.select(0, 1));
  };
  CHECK(values(hessian(product, zeros({2}, f64))) == Values{0, 0, 0, 0});
  CHECK(values(hessian(rosenbrock, from<double>({0, 0}))) == Values{2, 0, 0, 200});
  CHECK(values(hessian(rosenbrock, from<double>({1, 1}))) == Values{802, -400, -400, 200});
  CHECK(values(hessian(rosenbrock, from<double>({0.5, -1}))) == Values{702, -200, -200, 200});
}

TEST_CASE("blocks of a Hessian by several inputs, and its product with vectors", "[derivatives]") {
  // x^T A y: no second derivative by x or y alone, A between them.
  const Tensor a = random({2, 3}, 3), x = random({2}, 1), y = random({3}, 2);
  const TensorFunction form = [&](const Args& at) {
    return sum(at[0] * matmul(a, at[1].reshape({3, 1})).reshape({2}));
  };
  const auto blocks = hessian(form, {x, y});
  CHECK(values(blocks[0][0]) == Values(4, 0));
  check_close(blocks[0][1], a);
  check_close(blocks[1][0], a.transpose(0, 1));

  const Tensor u = random({2}, 4), v = random({3}, 5);
  const auto product = hvp(form, {x, y}, {u, v});
  check_close(product[0], matmul(a, v.reshape({3, 1})).reshape({2}));
  check_close(product[1], matmul(u.reshape({1, 2}), a).reshape({3}));
  CHECK(values(hvp(form, {x, y}, {u, Tensor()})[0]) == Values{0, 0});
  CHECK(values(hvp(rosenbrock, from({1.0, 1.0}), from({1.0, 2.0}))) == Values{2, 0});
}

TEST_CASE("a vjp is the Jacobian's transpose times the cotangent", "[derivatives]") {
  const Tensor x = random({2, 3}, 1), cotangent = random({2, 3}, 2);
  const UnaryTensorFunction f = [](const Tensor& at) { return softmax(at, -1); };
  const Tensor rows = jacobian(f, x).reshape({6, 6});
  check_close(vjp(f, x, cotangent).reshape({1, 6}), matmul(cotangent.reshape({1, 6}), rows));
}

TEST_CASE("third derivatives by nesting", "[derivatives]") {
  const Tensor two = full({}, 2, f64);
  CHECK(values(third([](const Tensor& x) { return pow(x, 4); }, two)) == Values{48});
  CHECK(values(third([](const Tensor& x) { return square(square(x)); }, two)) == Values{48});
  check_close(third(exp, two), exp(two));
  // tanh''' = -2 (1 - y^2) (1 - 3 y^2)
  const Tensor y = square(tanh(two));
  check_close(third(tanh, two), -2.0 * (1.0 - y) * (1.0 - 3.0 * y));
  check_third([](const Tensor& x) { return sum(softmax(x, -1) * from({1.0, -2.0, 0.5})); }, random({3}, 6));
  check_third(
      [](const Tensor& x) {
        return sum(layer_norm(x, {}, {}) * from({1.0, -2.0, 0.5, 2.0}));
      },
      random({4}, 7));
}

TEST_CASE("derivatives with create_graph carry gradients to inputs and to what f reads", "[derivatives]") {
  const Tensor x = leaf({3}), w = leaf({2});
  const UnaryTensorFunction f = [&](const Tensor& at) { return sum(w * at * at * at); };
  const Tensor curvature = hessian(f, x, {.create_graph = true});  // 6 w x
  CHECK(values(curvature) == Values{36});
  CHECK(gradient(curvature, x) == Values{12});
  CHECK(gradient(curvature, w) == Values{18});
  const Tensor product = hvp(f, x, from({2.0}), {.create_graph = true});
  CHECK(gradient(product, w) == Values{36});
  CHECK_FALSE(hessian(f, x).requires_grad());
  CHECK_FALSE(x.grad().defined());
  const NoGrad guard;
  CHECK(values(hessian(f, x)) == Values{36});
  CHECK(hessian(f, x, {.create_graph = true}).requires_grad());
}

TEST_CASE("derivatives refuse what has none, naming shapes", "[derivatives]") {
  const Tensor x = ones({2, 3}, f64);
  const UnaryTensorFunction twice = [](const Tensor& at) { return at * 2.0; };
  check_error([&] { hessian(twice, x); }, {"hessian", "one element", "[2, 3]"});
  check_error([&] { hvp(twice, x, x); }, {"hvp", "one element", "[2, 3]"});
  check_error([&] { hvp(twice, x, ones({3}, f64)); }, {"hvp", "input 0", "[2, 3]", "[3]"});
  check_error([&] { hvp(twice, x, {}); }, {"hvp", "undefined"});
  check_error(
      [&] {
        hvp([](const Args& at) { return sum(at[0]); }, {x}, {x, x});
      },
      {"1 inputs", "2 vectors"});
  check_error([&] { vjp(twice, x, ones({3}, f64)); }, {"vjp", "[2, 3]", "[3]"});
  check_error([&] { vjp(twice, x, ones({2, 3})); }, {"vjp", "f64", "f32", "to(f64)"});
  const UnaryTensorFunction total = [](const Tensor& at) { return sum(at * at); };
  check_error([&] { hvp(total, x, ones({2, 3})); }, {"hvp", "input 0", "f64", "f32", "to(f64)"});
  const UnaryTensorFunction empty_one;
  const TensorFunction empty_list;
  check_error([&] { vjp(empty_one, x, x); }, {"vjp", "empty function"});
  check_error([&] { hvp(empty_list, {x}, {x}); }, {"hvp", "empty function"});
  check_error([&] { jacobian(empty_list, {x}); }, {"jacobian", "empty function"});
  check_error([&] { hessian(empty_one, x); }, {"hessian", "empty function"});
  check_error([&] { jacobian(twice, ones({1, 1, 1, 1, 2}, f64)); }, {"jacobian", "10 axes", "reshape"});
  check_error([&] { jacobian(twice, from<int64_t>({1})); }, {"jacobian", "i64"});
  check_error([&] { jacobian(twice, Tensor()); }, {"jacobian", "undefined"});
  check_error([&] { jacobian([](const Tensor& at) { return at > 0; }, x); }, {"jacobian", "bool"});
}

}  // namespace headwise::testing
