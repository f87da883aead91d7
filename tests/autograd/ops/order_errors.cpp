#include "tests/autograd/error_cases.h"

namespace headwise::testing {

std::vector<ErrorCase> order_errors() {
  const Tensor x = ones({2, 3});
  return {
      {"sort", "axis out of range", call([=] { return sort(x, 2).values; }), {"sort", "axis 2", "[2, 3]"}},
      {"argsort", "of bool", call([=] { return argsort(x > 0, 1); }), {"argsort", "bool"}},
      {"argsort", "of a scalar", call([=] { return argsort(ones({}), 0); }), {"argsort", "axis 0", "[]"}},
      {"topk",
       "k too large",
       call([=] { return topk(x, 4, 1).values; }),
       {"topk", "k = 4", "axis 1", "size 3"}},
      {"topk", "negative k", call([=] { return topk(x, -1, 0).values; }), {"topk", "k = -1", "size 2"}},
  };
}

}  // namespace headwise::testing
