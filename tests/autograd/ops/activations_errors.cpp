#include "tests/autograd/error_cases.h"

namespace headwise::testing {

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
