#include "tests/autograd/op_cases.h"

namespace headwise::testing {

std::vector<OpCase> einsum_cases() {
  auto pair = [](const char* spec) { return [spec](const Args& x) { return einsum(spec, x[0], x[1]); }; };
  return {
      {"einsum",
       "attention scores",
       pair("bhqd,bhkd->bhqk"),
       {normal({2, 2, 3, 2}, 120), normal({2, 2, 4, 2}, 121)}},
      {"einsum",
       "scores of unsplit heads",
       pair("bqhd,bkhd->bhqk"),
       {normal({2, 3, 2, 2}, 122), normal({2, 4, 2, 2}, 123)}},
      {"einsum",
       "several letters of each kind",
       pair("iajb,kbla->lijk"),
       {normal({2, 3, 2, 2}, 124), normal({2, 2, 3, 3}, 125)}},
      {"einsum",
       "axes of one operand summed",
       pair("ijk,jl->l"),
       {normal({2, 3, 2}, 126), normal({3, 2}, 127)}},
      {"einsum", "sizes of 1 broadcast", pair("ij,ij->i"), {normal({2, 1}, 128), normal({1, 3}, 129)}},
      {"einsum", "elementwise", pair("ij,ji->ij"), {normal({2, 3}, 130), normal({3, 2}, 131)}},
      {"einsum", "dots", pair("...i,ij->...j"), {normal({2, 2, 3}, 132), normal({3, 2}, 133)}},
      {"einsum",
       "one operand",
       [](const Args& x) { return einsum("ijk->ki", x[0]) * x[1]; },
       {normal({2, 3, 4}, 134), normal({4, 2}, 135)}},
      {"outer",
       "of a slice",
       [](const Args& x) { return outer(x[0].select(1, 0), x[1]); },
       {normal({3, 2}, 136), normal({4}, 137)}},
  };
}

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
