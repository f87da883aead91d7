#include "tests/autograd/error_cases.h"

namespace headwise::testing {

std::vector<ErrorCase> power_errors() {
  const Tensor x = ones({2, 3}), y = ones({2}), d = ones({2, 3}, f64), n = ones({2, 3}, i64);
  return {
      {"pow", "clashing shapes", call([=] { return pow(x, y); }), {"pow", "[2, 3]", "[2]", "axis -1"}},
      {"pow", "mixed dtypes", call([=] { return pow(x, d); }), {"pow", "f32", "f64"}},
      {"pow", "integers", call([=] { return pow(n, n); }), {"pow", "i64"}},
      {"pow", "integers to a literal", call([=] { return pow(n, 2); }), {"pow", "i64"}},
      {"pow", "literal to integers", call([=] { return pow(2, n); }), {"pow", "i64"}},
  };
}

}  // namespace headwise::testing
