#include "tests/autograd/op_cases.h"

namespace headwise::testing {

std::vector<OpCase> softmax_cases() {
  return {
      {"logsumexp", "last axis", [](const Args& x) { return logsumexp(x[0], -1); }, {normal({3, 5}, 31)}},
      {"logsumexp",
       "first axis",
       [](const Args& x) { return logsumexp(x[0], 0, true); },
       {normal({3, 5}, 32)}},
      {"softmax", "last axis", [](const Args& x) { return softmax(x[0], -1); }, {normal({3, 5}, 33)}},
      {"softmax", "middle axis", [](const Args& x) { return softmax(x[0], 1); }, {normal({2, 3, 2}, 34)}},
      {"log_softmax", "last axis", [](const Args& x) { return log_softmax(x[0], -1); }, {normal({3, 5}, 35)}},
      {"log_softmax", "first axis", [](const Args& x) { return log_softmax(x[0], 0); }, {normal({3, 5}, 36)}},
  };
}

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
