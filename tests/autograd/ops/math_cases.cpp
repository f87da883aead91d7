#include "tests/autograd/op_cases.h"

namespace headwise::testing {

std::vector<OpCase> math_cases() {
  return {
      {"exp", "transposed", [](const Args& x) { return exp(x[0].transpose(0, 1)); }, {normal({2, 5}, 16)}},
      {"log", "positive", [](const Args& x) { return log(x[0]); }, {positive({2, 3}, 17)}},
      {"sqrt", "positive", [](const Args& x) { return sqrt(x[0]); }, {positive({5}, 18)}},
      {"tanh", "matrix", [](const Args& x) { return tanh(x[0]); }, {normal({2, 3}, 19)}},
      {"relu", "off the kink", [](const Args& x) { return relu(x[0]); }, {distinct({3, 4}, 20)}},
      {"gelu", "matrix", [](const Args& x) { return gelu(x[0]); }, {normal({3, 4}, 21)}},
      {"erf", "matrix", [](const Args& x) { return erf(x[0]); }, {normal({3, 4}, 22)}},
  };
}

std::vector<ErrorCase> math_errors() {
  const Tensor n = ones({2, 3}, i64), m = ones({2, 3}, boolean);
  return {
      {"exp", "integers", call([=] { return exp(n); }), {"exp", "i64"}},
      {"log", "integers", call([=] { return log(n); }), {"log", "i64"}},
      {"sqrt", "bool", call([=] { return sqrt(m); }), {"sqrt", "bool"}},
      {"tanh", "integers", call([=] { return tanh(n); }), {"tanh", "i64"}},
      {"relu", "integers", call([=] { return relu(n); }), {"relu", "i64"}},
      {"gelu", "integers", call([=] { return gelu(n); }), {"gelu", "i64"}},
      {"erf", "integers", call([=] { return erf(n); }), {"erf", "i64"}},
  };
}

}  // namespace headwise::testing
