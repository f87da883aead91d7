#include "tests/autograd/op_cases.h"

namespace headwise::testing {

std::vector<OpCase> norm_cases() {
  return {
      {"layer_norm",
       "with gain and offset",
       [](const Args& x) { return layer_norm(x[0], x[1], x[2]); },
       {normal({2, 3, 5}, 77), normal({5}, 78), normal({5}, 79)}},
      {"layer_norm", "plain", [](const Args& x) { return layer_norm(x[0], {}, {}); }, {normal({3, 4}, 80)}},
  };
}

std::vector<ErrorCase> norm_errors() {
  const Tensor x = ones({2, 3}), y = ones({2});
  return {
      {"layer_norm", "gain", call([=] { return layer_norm(x, y, {}); }), {"layer_norm", "[3]", "[2]"}},
  };
}

}  // namespace headwise::testing
