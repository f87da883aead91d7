#include "tests/autograd/error_cases.h"

namespace headwise::testing {

std::vector<ErrorCase> math_errors() {
  const Tensor n = ones({2, 3}, i64), m = ones({2, 3}, boolean);
  return {
      {"exp", "integers", call([=] { return exp(n); }), {"exp", "i64"}},
      {"log", "integers", call([=] { return log(n); }), {"log", "i64"}},
      {"sqrt", "bool", call([=] { return sqrt(m); }), {"sqrt", "bool"}},
      {"tanh", "integers", call([=] { return tanh(n); }), {"tanh", "i64"}},
      {"square", "bool", call([=] { return square(m); }), {"square", "bool"}},
      {"abs", "bool", call([=] { return abs(m); }), {"abs", "bool"}},
      {"sign", "bool", call([=] { return sign(m); }), {"sign", "bool"}},
      {"sin", "integers", call([=] { return sin(n); }), {"sin", "i64"}},
      {"cos", "integers", call([=] { return cos(n); }), {"cos", "i64"}},
      {"erf", "integers", call([=] { return erf(n); }), {"erf", "i64"}},
  };
}

}  // namespace headwise::testing
