#include "tests/autograd/error_cases.h"

namespace headwise::testing {

std::vector<ErrorCase> statistics_errors() {
  return {
      {"var", "of i64", call([] { return var(arange(3)); }), {"var", "i64"}},
      {"var",
       "of nothing",
       call([] {
         return var(ones({2, 0}), {1});
       }),
       {"var", "[2, 0]"}},
      {"stddev",
       "of one term",
       call([] {
         return stddev(ones({3, 1}), {1});
       }),
       {"stddev", "[3, 1]", "1 terms"}},
      {"var",
       "too large a correction",
       call([] { return var(ones({4}), {.correction = 4}); }),
       {"var", "4 terms", "correction of 4"}},
      {"var", "negative correction", call([] { return var(ones({4}), {.correction = -1}); }), {"var", "-1"}},
  };
}

}  // namespace headwise::testing
