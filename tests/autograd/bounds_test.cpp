// maximum, minimum and clamp at ties, limits and NaN.
#include "tests/support/derivatives.h"

namespace headwise::testing {

TEST_CASE("tied operands get half of the gradient each", "[bounds]") {
  for (const DType dtype : {f32, f64})
    for (auto* f : {static_cast<Tensor (*)(const Tensor&, const Tensor&)>(maximum),
                    static_cast<Tensor (*)(const Tensor&, const Tensor&)>(minimum)}) {
      const Tensor a = leaf({2, 0, INFINITY, -INFINITY}, dtype),
                   b = leaf({2, -0.0, INFINITY, -INFINITY}, dtype);
      CHECK(values(f(a, b)) == values(a));
      CHECK(gradient(f(a, b), a) == Values{0.5, 0.5, 0.5, 0.5});
      CHECK(gradient(f(a, b), b) == Values{0.5, 0.5, 0.5, 0.5});
      CHECK(gradient(f(a, a), a) == Values{1, 1, 1, 1});
    }
}

TEST_CASE("the winner gets the gradient and the loser nothing, however large it is", "[bounds]") {
  const Tensor a = leaf({1, 5, -3}), b = leaf({2, 4, -INFINITY});
  CHECK(values(maximum(a, b)) == Values{2, 5, -3});
  CHECK(values(minimum(a, b)) == Values{1, 4, -INFINITY});
  const Tensor huge = full({3}, INFINITY, f64);
  CHECK(gradient(maximum(a, b) * huge, a) == Values{0, INFINITY, INFINITY});
  CHECK(gradient(maximum(a, b) * huge, b) == Values{INFINITY, 0, 0});
  CHECK(gradient(minimum(a, b), b) == Values{0, 1, 1});
}

TEST_CASE("NaN wins and takes the gradient", "[bounds]") {
  for (const DType dtype : {f32, f64})
    for (auto* f : {static_cast<Tensor (*)(const Tensor&, const Tensor&)>(maximum),
                    static_cast<Tensor (*)(const Tensor&, const Tensor&)>(minimum)}) {
      const Tensor a = leaf({NAN, 1, NAN}, dtype), b = leaf({1, NAN, NAN}, dtype);
      check_close(f(a, b), full({3}, NAN, dtype), 0);
      CHECK(gradient(f(a, b), a) == Values{1, 0, 0.5});
      CHECK(gradient(f(a, b), b) == Values{0, 1, 0.5});
    }
  check_close(maximum(from<double>({NAN, -1.0}), 0.0), from<double>({NAN, 0.0}), 0);
}

TEST_CASE("extrema of integers and of literals on either side", "[bounds]") {
  const Tensor n = from<int64_t>({-3, 0, 4});
  CHECK(same_bits(maximum(n, 1), from<int64_t>({1, 1, 4})));
  CHECK(same_bits(minimum(1, n), from<int64_t>({-3, 0, 1})));
  CHECK(same_bits(clamp(n, -1, 2), from<int64_t>({-1, 0, 2})));
  CHECK(same_bits(clamp(n, -1), from<int64_t>({-1, 0, 4})));
  CHECK(same_bits(clamp(n, {}, 2), from<int64_t>({-3, 0, 2})));
}

TEST_CASE("clamp passes the gradient up to its limits", "[bounds]") {
  for (const DType dtype : {f32, f64}) {
    const Tensor x = leaf({-INFINITY, -2, -1, 0, 3, 4, INFINITY, NAN}, dtype);
    check_close(clamp(x, -1, 3), from<double>({-1.0, -1.0, -1.0, 0.0, 3.0, 3.0, 3.0, NAN}).to(dtype), 0);
    CHECK(gradient(clamp(x, -1, 3), x) == Values{0, 0, 1, 1, 1, 0, 0, 1});
    check_close(clamp(x, -1), from<double>({-1.0, -1.0, -1.0, 0.0, 3.0, 4.0, INFINITY, NAN}).to(dtype), 0);
    CHECK(gradient(clamp(x, -1), x) == Values{0, 0, 1, 1, 1, 1, 1, 1});
    check_close(clamp(x, {}, 3), from<double>({-INFINITY, -2.0, -1.0, 0.0, 3.0, 3.0, 3.0, NAN}).to(dtype), 0);
    CHECK(gradient(clamp(x, {}, 3), x) == Values{1, 1, 1, 1, 1, 0, 0, 1});
    CHECK(values(clamp(x, 1, 1)).front() == 1);
  }
  // The limit is that of the dtype: 0.1 as f32 lies inside.
  const Tensor tenth = leaf({0.1}, f32);
  CHECK(gradient(clamp(tenth, 0.1, 0.1), tenth) == Values{1});
}

TEST_CASE("an infinite cotangent outside the limits is dropped", "[bounds]") {
  const Tensor x = leaf({5, 0});
  CHECK(gradient(clamp(x, -1, 1) * full({2}, INFINITY, f64), x) == Values{0, INFINITY});
}

}  // namespace headwise::testing
