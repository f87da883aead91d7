#include "tests/autograd/error_cases.h"

namespace headwise::testing {

std::vector<ErrorCase> softmax_errors() {
  const Tensor x = ones({2, 3}), n = ones({2, 3}, i64);
  return {
      {"logsumexp", "axis out of range", call([=] { return logsumexp(x, 2); }), {"logsumexp", "axis 2"}},
      {"softmax",
       "axis out of range",
       call([=] { return softmax(x, 3); }),
       {"softmax: axis 3 is out of range for shape [2, 3]"}},
      {"softmax", "integers", call([=] { return softmax(n, 0); }), {"softmax", "i64"}},
      {"log_softmax",
       "axis out of range",
       call([=] { return log_softmax(x, -3); }),
       {"log_softmax", "axis -3"}},
  };
}

}  // namespace headwise::testing
