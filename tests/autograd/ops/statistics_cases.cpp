#include "tests/autograd/op_cases.h"

namespace headwise::testing {

std::vector<OpCase> statistics_cases() {
  return {
      {"sum", "var of all", [](const Args& x) { return var(x[0]); }, {normal({2, 3}, 37)}},
      {"sum",
       "var of the terms themselves over two axes",
       [](const Args& x) {
         return var(x[0].transpose(0, 1), {0, -1}, {.keepdim = true, .correction = 0});
       },
       {normal({2, 3, 4}, 38)}},
      {"norm",
       "stddev of one axis",
       [](const Args& x) { return stddev(x[0], {1}, true); },
       {normal({2, 3, 4}, 39)}},
      {"norm",
       "stddev, another correction",
       [](const Args& x) { return stddev(x[0], {0}, {.correction = 2}); },
       {normal({4, 3}, 390)}},
  };
}

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
