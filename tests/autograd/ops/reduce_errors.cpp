#include "tests/autograd/error_cases.h"

namespace headwise::testing {

std::vector<ErrorCase> reduce_errors() {
  const Tensor x = ones({2, 3});
  return {
      {"sum", "axis out of range", call([=] { return sum(x, {3}); }), {"sum", "axis 3", "[2, 3]"}},
      {"sum",
       "axis twice",
       call([=] {
         return sum(x, {0, -2});
       }),
       {"sum", "twice"}},
      {"mean", "of nothing", call([=] { return mean(ones({0})); }), {"mean", "[0]"}},
      {"prod", "of bool", call([=] { return prod(x > 0); }), {"prod", "bool"}},
      {"prod", "axis out of range", call([=] { return prod(x, {-3}); }), {"prod", "axis -3", "[2, 3]"}},
  };
}

}  // namespace headwise::testing
