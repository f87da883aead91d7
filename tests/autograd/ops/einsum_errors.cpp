#include "tests/autograd/error_cases.h"

namespace headwise::testing {

std::vector<ErrorCase> einsum_errors() {
  const Tensor x = ones({2, 3}), y = ones({4, 2});
  auto one = [=](const char* spec) { return call([=] { return einsum(spec, x); }); };
  auto two = [=](const char* spec) { return call([=] { return einsum(spec, x, y); }); };
  return {
      {"einsum",
       "sizes",
       two("ij,jk->ik"),
       {"einsum", "ij,jk->ik", "'j'", "3 in shape [2, 3]", "4 in shape [4, 2]"}},
      {"einsum", "sizes under dots", two("...,..."), {"einsum", "\"...\"", "[2, 3]", "[4, 2]"}},
      {"einsum", "a diagonal", one("ii->i"), {"einsum", "ii->i", "'i' twice", "diagonals"}},
      {"einsum", "a letter twice in the result", one("ij->jj"), {"einsum", "'j' twice"}},
      {"einsum", "an unknown letter", one("ij->ik"), {"einsum", "ij->ik", "'k'"}},
      {"einsum", "too few letters", one("i->i"), {"einsum", "\"i\"", "1 axes", "[2, 3]"}},
      {"einsum", "too many letters for dots", one("...ijk->i"), {"einsum", "3 axes", "[2, 3]"}},
      {"einsum", "dots twice", one("......ij->i"), {"einsum", "'.'", "one \"...\""}},
      {"einsum", "not a letter", one("i1->i"), {"einsum", "'1'", "letters"}},
      {"einsum", "two arrows", one("ij->i->"), {"einsum", "'-'"}},
      {"einsum", "one operand for two", one("ij,jk"), {"einsum", "ij,jk", "one operand"}},
      {"einsum", "two operands for one", two("ij->ij"), {"einsum", "ij->ij", "two operands"}},
      {"einsum", "three terms", two("ij,ki,j->k"), {"einsum", "two operands"}},
      {"einsum", "dtypes", call([=] { return einsum("ij,ki->kj", x, y.to(f64)); }), {"einsum", "f32", "f64"}},
      {"einsum",
       "integers",
       call([=] { return einsum("ij,ki->kj", x.to(i64), y.to(i64)); }),
       {"einsum", "i64"}},
      {"einsum",
       "too many axes",
       call([=] {
         return einsum("abcde,fghij", ones({1, 1, 1, 1, 1}), ones({1, 1, 1, 1, 1}));
       }),
       {"einsum", "10 axes", "8"}},
      {"outer", "a matrix", call([=] { return outer(x, x); }), {"outer", "[2, 3]"}},
      {"outer", "dtypes", call([=] { return outer(ones({2}), ones({2}, f64)); }), {"outer", "f32", "f64"}},
  };
}

}  // namespace headwise::testing
