#include "tests/autograd/error_cases.h"

namespace headwise::testing {

std::vector<ErrorCase> cross_entropy_errors() {
  const Tensor x = ones({2, 3});
  return {
      {"cross_entropy",
       "no such class",
       call([=] {
         return cross_entropy(x, from<int64_t>({0, 3})).loss;
       }),
       {"cross_entropy", "target 3", "position 1", "3 classes"}},
      {"cross_entropy",
       "batch sizes",
       call([=] { return cross_entropy(x, from<int64_t>({0})).loss; }),
       {"cross_entropy", "[2, 3]", "[1]"}},
  };
}

}  // namespace headwise::testing
