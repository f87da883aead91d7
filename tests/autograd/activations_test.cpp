// Activations against formulas in extended precision, and at their limits.
#include <functional>

#include "tests/support/derivatives.h"

namespace headwise::testing {
namespace {

using Extended = long double;
constexpr double infinity = INFINITY;

Extended sigmoid_of(Extended x) { return 1 / (1 + std::exp(-x)); }
Extended softplus_of(Extended x) { return std::max(x, Extended{0}) + std::log1p(std::exp(-std::abs(x))); }

// The largest error over a sweep, relative to the value, in units of the dtype's epsilon.
template <class T>
double sweep_error(Tensor (*f)(const Tensor&), Extended (*exact)(Extended), double reach) {
  std::vector<T> points;
  for (double x = -reach; x <= reach; x += reach / 7919) points.push_back(static_cast<T>(x));
  for (double x = 1; x > 1e-20; x /= 3) points.insert(points.end(), {static_cast<T>(x), static_cast<T>(-x)});
  const Tensor y = f(from_values<T>(points, {static_cast<int64_t>(points.size())}));
  double worst = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    const Extended right = exact(points[i]);
    const double error = static_cast<double>(std::abs((y.values<T>()[i] - right) / right));
    worst = std::isnan(error) ? INFINITY : std::max(worst, error);
  }
  return worst / double{std::numeric_limits<T>::epsilon()};
}

}  // namespace

TEST_CASE("activations keep their digits over the whole range of exponents", "[activations]") {
  // Beyond 80 and 700 values of the small side become subnormal.
  auto check = [](Tensor (*f)(const Tensor&), Extended (*exact)(Extended)) {
    CHECK(sweep_error<float>(f, exact, 80) < 4);
    CHECK(sweep_error<double>(f, exact, 700) < 4);
  };
  check(sigmoid, sigmoid_of);
  check(softplus, softplus_of);
  check(silu, [](Extended x) { return x * sigmoid_of(x); });
  check(logsigmoid, [](Extended x) { return -softplus_of(-x); });
}

TEST_CASE("activations have the values and slopes of mpmath", "[activations]") {
  const Tensor x = leaf({-3, -0.5, 0.75, 2});
  auto check = [&](const Tensor& y, std::initializer_list<double> values,
                   std::initializer_list<double> slopes) {
    check_close(y, from(values), 1e-15);
    check_close(grad(sum(y), {x})[0], from(slopes), 1e-15);
  };
  check(gelu(x, Gelu::tanh),
        {-0.0036373920817730188, -0.15428599017485608, 0.5799605551656203, 1.954597694087775},
        {-0.011584166630969726, 0.13263009646535769, 0.9989382561374143, 1.0860992566236184});
  check(sigmoid(x), {0.047425873177566781, 0.37754066879814544, 0.67917869917539297, 0.88079707797788244},
        {0.045176659730912133, 0.23500371220159449, 0.21789499376181403, 0.10499358540350652});
  check(silu(x), {-0.14227761953270034, -0.18877033439907272, 0.50938402438154473, 1.7615941559557649},
        {-0.088104106015169617, 0.26003881269734819, 0.8425999444967535, 1.0907842487848955});
  check(softplus(x), {0.048587351573742059, 0.47407698418010668, 1.1368710061148999, 2.1269280110429725},
        {0.047425873177566781, 0.37754066879814544, 0.67917869917539297, 0.88079707797788244});
  check(logsigmoid(x), {-3.0485873515737421, -0.97407698418010668, -0.38687100611489994, -0.1269280110429725},
        {0.95257412682243322, 0.62245933120185456, 0.32082130082460703, 0.11920292202211756});
}

TEST_CASE("activations and their gradients reach their limits", "[activations]") {
  for (const DType dtype : {f32, f64}) {
    const Tensor x = leaf({-infinity, -1000, 0, 1000, infinity}, dtype);
    CHECK(values(sigmoid(x)) == Values{0, 0, 0.5, 1, 1});
    CHECK(gradient(sigmoid(x), x) == Values{0, 0, 0.25, 0, 0});
    const double log_two = values(log(full({}, 2, dtype)))[0];
    check_close(softplus(x), from({0.0, 0.0, log_two, 1000.0, infinity}).to(dtype), 1e-7);
    CHECK(gradient(softplus(x), x) == Values{0, 0, 0.5, 1, 1});
    check_close(logsigmoid(x), from({-infinity, -1000.0, -log_two, 0.0, 0.0}).to(dtype), 1e-7);
    CHECK(gradient(logsigmoid(x), x) == Values{1, 1, 0.5, 0, 0});
    for (const auto& f : {std::function<Tensor(const Tensor&)>(silu),
                          {[](const Tensor& y) { return gelu(y); }},
                          {[](const Tensor& y) { return gelu(y, Gelu::tanh); }}}) {
      CHECK(values(f(x)) == Values{0, 0, 0, 1000, infinity});
      CHECK(gradient(f(x), x) == Values{0, 0, 0.5, 1, 1});
      CHECK(std::isnan(values(f(full({3}, NAN, dtype)))[1]));
    }
    for (auto* f : {sigmoid, softplus, logsigmoid}) CHECK(std::isnan(values(f(full({3}, NAN, dtype)))[1]));
  }
  CHECK(values(logsigmoid(from({-300.0}))) == Values{-300});
  CHECK(values(logsigmoid(from({-300.0}).to(f32))) == Values{-300});
}

TEST_CASE("the two forms of gelu stay close, and exact is the default", "[activations]") {
  Rng rng(4);
  const Tensor x = randn({1000}, rng, f64) * 2.0;
  CHECK(same_bits(gelu(x), gelu(x, Gelu::exact)));
  // Their largest distance over all x, found by a fine sweep, is 4.732e-4.
  CHECK(values(amax(abs(gelu(x) - gelu(x, Gelu::tanh))))[0] < 4.74e-4);
  CHECK(values(amax(abs(gelu(x) - gelu(x, Gelu::tanh))))[0] > 1e-4);
}

}  // namespace headwise::testing
