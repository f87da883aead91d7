#include "tests/autograd/error_cases.h"

namespace headwise::testing {

std::vector<ErrorCase> arithmetic_errors() {
  const Tensor x = ones({2, 3}), y = ones({2}), d = ones({2, 3}, f64), n = ones({2, 3}, i64),
               m = ones({2, 3}, boolean);
  return {
      {"add", "clashing shapes", call([=] { return x + y; }), {"add", "[2, 3]", "[2]", "3 and 2", "axis -1"}},
      {"add", "mixed dtypes", call([=] { return x + d; }), {"add", "f32", "f64"}},
      {"sub", "mixed dtypes", call([=] { return x - n; }), {"sub", "f32", "i64"}},
      {"mul", "bool", call([=] { return m * m; }), {"mul", "bool"}},
      {"div", "integers", call([=] { return n / n; }), {"div", "i64"}},
      {"neg", "bool", call([=] { return -m; }), {"neg", "bool"}},
      {"zero_safe_mul",
       "clashing shapes",
       call([=] { return zero_safe_mul(x, y); }),
       {"zero_safe_mul", "[2, 3]"}},
  };
}

}  // namespace headwise::testing
