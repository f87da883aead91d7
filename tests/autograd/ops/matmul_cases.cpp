#include "tests/autograd/op_cases.h"

namespace headwise::testing {

std::vector<OpCase> matmul_cases() {
  return {
      {"matmul",
       "matrices",
       [](const Args& x) { return matmul(x[0], x[1]); },
       {normal({3, 4}, 37), normal({4, 2}, 38)}},
      {"matmul",
       "batched, broadcast",
       [](const Args& x) { return matmul(x[0], x[1]); },
       {normal({2, 1, 3, 4}, 39), normal({3, 4, 2}, 40)}},
      {"matmul",
       "strided heads",
       [](const Args& x) {
         return matmul(x[0].view({2, 3, 2, 2}).transpose(1, 2),
                       x[1].view({2, 3, 2, 2}).permute({0, 2, 3, 1}));
       },
       {normal({2, 3, 4}, 41), normal({2, 3, 4}, 42)}},
      {"linear",
       "with bias",
       [](const Args& x) { return linear(x[0], x[1], x[2]); },
       {normal({2, 3, 4}, 43), normal({5, 4}, 44), normal({5}, 45)}},
      {"linear",
       "one row",
       [](const Args& x) { return linear(x[0], x[1]); },
       {normal({4}, 46), normal({3, 4}, 47)}},
      {"linear",
       "strided input",
       [](const Args& x) { return linear(x[0].transpose(0, 1), x[1]); },
       {normal({4, 2, 3}, 48), normal({2, 3}, 49)}},
  };
}

std::vector<ErrorCase> matmul_errors() {
  const Tensor x = ones({2, 3}), y = ones({2}), d = ones({2, 3}, f64);
  return {
      {"matmul", "inner sizes", call([=] { return matmul(x, x); }), {"matmul", "[2, 3]", "3 and 2"}},
      {"matmul", "rank", call([=] { return matmul(x, y); }), {"matmul", "two axes", "[2]"}},
      {"matmul",
       "mixed dtypes",
       call([=] { return matmul(x, d.transpose(0, 1)); }),
       {"matmul", "f32", "f64"}},
      {"linear",
       "width",
       call([=] {
         return linear(x, ones({4, 2}));
       }),
       {"linear", "[2, 3]", "[4, 2]"}},
      {"linear",
       "bias",
       call([=] {
         return linear(x, ones({4, 3}), ones({3}));
       }),
       {"linear", "bias", "[3]"}},
  };
}

}  // namespace headwise::testing
