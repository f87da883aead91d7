#include "tests/autograd/error_cases.h"

namespace headwise::testing {

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
