#include "headwise/autograd/cases/families.h"

namespace headwise::cases {

std::vector<OpCase> matmul_cases(Rng& rng) {
  return {
      {"matmul",
       "matrices",
       [](const Args& x) { return matmul(x[0], x[1]); },
       {normal({3, 4}, rng), normal({4, 2}, rng)}},
      {"matmul",
       "batched, broadcast",
       [](const Args& x) { return matmul(x[0], x[1]); },
       {normal({2, 1, 3, 4}, rng), normal({3, 4, 2}, rng)}},
      {"matmul",
       "strided heads",
       [](const Args& x) {
         return matmul(x[0].view({2, 3, 2, 2}).transpose(1, 2),
                       x[1].view({2, 3, 2, 2}).permute({0, 2, 3, 1}));
       },
       {normal({2, 3, 4}, rng), normal({2, 3, 4}, rng)}},
      {"linear",
       "with bias",
       [](const Args& x) { return linear(x[0], x[1], x[2]); },
       {normal({2, 3, 4}, rng), normal({5, 4}, rng), normal({5}, rng)}},
      {"linear",
       "one row",
       [](const Args& x) { return linear(x[0], x[1]); },
       {normal({4}, rng), normal({3, 4}, rng)}},
      {"linear",
       "strided input",
       [](const Args& x) { return linear(x[0].transpose(0, 1), x[1]); },
       {normal({4, 2, 3}, rng), normal({2, 3}, rng)}},
  };
}

}  // namespace headwise::cases
