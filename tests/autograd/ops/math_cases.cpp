#include "tests/autograd/op_cases.h"

namespace headwise::testing {

std::vector<OpCase> math_cases() {
  return {
      {"exp", "transposed", [](const Args& x) { return exp(x[0].transpose(0, 1)); }, {normal({2, 5}, 16)}},
      {"log", "positive", [](const Args& x) { return log(x[0]); }, {positive({2, 3}, 17)}},
      {"sqrt", "positive", [](const Args& x) { return sqrt(x[0]); }, {positive({5}, 18)}},
      {"tanh", "matrix", [](const Args& x) { return tanh(x[0]); }, {normal({2, 3}, 19)}},
      {"square",
       "transposed",
       [](const Args& x) { return square(x[0].transpose(0, 1)); },
       {normal({2, 3}, 80)}},
      {"abs", "off the kink", [](const Args& x) { return abs(x[0]); }, {distinct({3, 4}, 81)}},
      {"sin", "matrix", [](const Args& x) { return sin(x[0] * 3.0); }, {normal({3, 4}, 82)}},
      {"cos", "sliced", [](const Args& x) { return cos(x[0].slice(1, 1, 3)); }, {normal({3, 4}, 83)}},
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
      {"square", "bool", call([=] { return square(m); }), {"square", "bool"}},
      {"abs", "bool", call([=] { return abs(m); }), {"abs", "bool"}},
      {"sign", "bool", call([=] { return sign(m); }), {"sign", "bool"}},
      {"sin", "integers", call([=] { return sin(n); }), {"sin", "i64"}},
      {"cos", "integers", call([=] { return cos(n); }), {"cos", "i64"}},
      {"erf", "integers", call([=] { return erf(n); }), {"erf", "i64"}},
  };
}

}  // namespace headwise::testing
