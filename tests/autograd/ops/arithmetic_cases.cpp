#include "tests/autograd/op_cases.h"

namespace headwise::testing {

std::vector<OpCase> arithmetic_cases() {
  return {
      {"add",
       "same shape",
       [](const Args& x) { return x[0] + x[1]; },
       {normal({2, 3}, 1), normal({2, 3}, 2)}},
      {"add",
       "broadcast both ways",
       [](const Args& x) { return x[0] + x[1]; },
       {normal({2, 1, 3}, 3), normal({4, 1}, 4)}},
      {"add", "literal", [](const Args& x) { return 2.0 + x[0]; }, {normal({3}, 5)}},
      {"sub", "broadcast", [](const Args& x) { return x[0] - x[1]; }, {normal({3}, 6), normal({2, 3}, 7)}},
      {"mul", "broadcast", [](const Args& x) { return x[0] * x[1]; }, {normal({2, 1}, 8), normal({1, 3}, 9)}},
      {"mul", "with itself", [](const Args& x) { return x[0] * x[0]; }, {normal({4}, 10)}},
      {"div",
       "broadcast",
       [](const Args& x) { return x[0] / x[1]; },
       {normal({2, 3}, 11), positive({3}, 12)}},
      {"neg", "matrix", [](const Args& x) { return -x[0]; }, {normal({2, 3}, 13)}},
      {"zero_safe_mul",
       "finite",
       [](const Args& x) { return zero_safe_mul(x[0], x[1]); },
       {normal({2, 3}, 14), normal({3}, 15)}},
  };
}

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
