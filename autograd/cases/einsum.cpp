#include "headwise/autograd/cases/families.h"

namespace headwise::cases {

std::vector<OpCase> einsum_cases(Rng& rng) {
  auto pair = [](const char* spec) { return [spec](const Args& x) { return einsum(spec, x[0], x[1]); }; };
  return {
      {"einsum",
       "attention scores",
       pair("bhqd,bhkd->bhqk"),
       {normal({2, 2, 3, 2}, rng), normal({2, 2, 4, 2}, rng)}},
      {"einsum",
       "scores of unsplit heads",
       pair("bqhd,bkhd->bhqk"),
       {normal({2, 3, 2, 2}, rng), normal({2, 4, 2, 2}, rng)}},
      {"einsum",
       "several letters of each kind",
       pair("iajb,kbla->lijk"),
       {normal({2, 3, 2, 2}, rng), normal({2, 2, 3, 3}, rng)}},
      {"einsum",
       "axes of one operand summed",
       pair("ijk,jl->l"),
       {normal({2, 3, 2}, rng), normal({3, 2}, rng)}},
      {"einsum", "sizes of 1 broadcast", pair("ij,ij->i"), {normal({2, 1}, rng), normal({1, 3}, rng)}},
      {"einsum", "elementwise", pair("ij,ji->ij"), {normal({2, 3}, rng), normal({3, 2}, rng)}},
      {"einsum", "dots", pair("...i,ij->...j"), {normal({2, 2, 3}, rng), normal({3, 2}, rng)}},
      {"einsum",
       "one operand",
       [](const Args& x) { return einsum("ijk->ki", x[0]) * x[1]; },
       {normal({2, 3, 4}, rng), normal({4, 2}, rng)}},
      {"outer",
       "of a slice",
       [](const Args& x) { return outer(x[0].select(1, 0), x[1]); },
       {normal({3, 2}, rng), normal({4}, rng)}},
  };
}

}  // namespace headwise::cases
