#include "tests/autograd/op_cases.h"

namespace headwise::testing {

std::vector<OpCase> activations_cases() {
  return {
      {"relu", "off the kink", [](const Args& x) { return relu(x[0]); }, {distinct({3, 4}, 20)}},
      {"gelu", "matrix", [](const Args& x) { return gelu(x[0]); }, {normal({3, 4}, 21)}},
      {"gelu",
       "by tanh, transposed",
       [](const Args& x) { return gelu(x[0].transpose(0, 1), Gelu::tanh); },
       {normal({3, 4}, 90)}},
      {"sigmoid", "matrix", [](const Args& x) { return sigmoid(x[0]); }, {normal({3, 4}, 91)}},
      {"sigmoid",
       "expanded",
       [](const Args& x) {
         return sigmoid(x[0].expand({2, 3}));
       },
       {normal({3}, 92)}},
      {"silu", "scalar", [](const Args& x) { return silu(x[0]); }, {normal({}, 93)}},
      {"silu", "sliced", [](const Args& x) { return silu(x[0].slice(1, 1, 4)); }, {normal({2, 5}, 94)}},
      {"softplus", "matrix", [](const Args& x) { return softplus(x[0] * 4.0); }, {normal({3, 4}, 95)}},
      {"softplus", "logsigmoid", [](const Args& x) { return logsigmoid(x[0]); }, {normal({3, 4}, 96)}},
      {"softplus", "of nothing", [](const Args& x) { return softplus(x[0]); }, {normal({0, 4}, 97)}},
  };
}

std::vector<ErrorCase> activations_errors() {
  const Tensor n = ones({2, 3}, i64), m = ones({2, 3}, boolean);
  return {
      {"relu", "integers", call([=] { return relu(n); }), {"relu", "i64"}},
      {"gelu", "integers", call([=] { return gelu(n); }), {"gelu", "i64"}},
      {"gelu", "integers by tanh", call([=] { return gelu(n, Gelu::tanh); }), {"gelu", "i64"}},
      {"sigmoid", "integers", call([=] { return sigmoid(n); }), {"sigmoid", "i64"}},
      {"silu", "bool", call([=] { return silu(m); }), {"silu", "bool"}},
      {"softplus", "integers", call([=] { return softplus(n); }), {"softplus", "i64"}},
      {"logsigmoid", "integers", call([=] { return logsigmoid(n); }), {"logsigmoid", "i64"}},
  };
}

}  // namespace headwise::testing
