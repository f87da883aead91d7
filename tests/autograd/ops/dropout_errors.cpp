#include "tests/autograd/error_cases.h"

namespace headwise::testing {

std::vector<ErrorCase> dropout_errors() {
  const Tensor x = ones({2, 3});
  return {
      {"dropout",
       "NaN",
       call([=] {
         Rng rng(1);
         return dropout(x, NAN, rng);
       }),
       {"dropout", "p", "nan"}},
      {"dropout",
       "above 1",
       call([=] {
         Rng rng(1);
         return dropout(x, 1.5, rng);
       }),
       {"dropout", "1.5"}},
  };
}

}  // namespace headwise::testing
