#include "tests/autograd/error_cases.h"

namespace headwise::testing {

std::vector<ErrorCase> norm_errors() {
  const Tensor x = ones({2, 3}), y = ones({2});
  return {
      {"layer_norm", "gain", call([=] { return layer_norm(x, y, {}); }), {"layer_norm", "[3]", "[2]"}},
  };
}

}  // namespace headwise::testing
