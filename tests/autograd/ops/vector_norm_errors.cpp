#include "tests/autograd/error_cases.h"

namespace headwise::testing {

std::vector<ErrorCase> vector_norm_errors() {
  const Tensor x = ones({2, 3});
  return {
      {"norm", "of i64", call([] { return norm(arange(3)); }), {"norm", "i64"}},
      {"norm", "p = 0", call([=] { return norm(x, {.p = 0}); }), {"norm", "p ", "0"}},
      {"norm", "negative p", call([=] { return norm(x, {.p = -2}); }), {"norm", "-2"}},
      {"norm", "p is no number", call([=] { return norm(x, {.p = NAN}); }), {"norm", "nan"}},
      {"norm", "axis out of range", call([=] { return norm(x, {2}); }), {"norm", "axis 2", "[2, 3]"}},
  };
}

}  // namespace headwise::testing
