#include "tests/autograd/error_cases.h"

namespace headwise::testing {

std::vector<ErrorCase> arrange_errors() {
  const Tensor x = ones({2, 3});
  return {
      {"cat", "nothing", call([=] { return cat(std::span<const Tensor>(), 0); }), {"cat", "no tensors"}},
      {"cat",
       "shapes",
       call([=] {
         return cat({x, ones({2, 4})}, 0);
       }),
       {"cat", "[2, 3]", "[2, 4]"}},
      {"stack", "nothing", call([=] { return stack({}, 0); }), {"stack", "no tensors"}},
      {"stack",
       "shapes",
       call([=] {
         return stack({x, ones({3, 2})}, 0);
       }),
       {"stack", "[2, 3]", "[3, 2]"}},
      {"stack",
       "dtypes",
       call([=] {
         return stack({x, x.to(f64)}, 0);
       }),
       {"stack", "f32", "f64"}},
      {"stack", "axis", call([=] { return stack({x}, 3); }), {"stack", "axis 3", "3 axes"}},
      {"split",
       "too much",
       call([=] {
         return split(x, {2, 2}, 1);
       }),
       {"split", "[2, 2]", "axis 1", "[2, 3]", "add up to 3"}},
      {"split",
       "too little",
       call([=] {
         return split(x, {1, 1}, -1);
       }),
       {"split", "[1, 1]", "leave 1 of axis -1", "[2, 3]"}},
      {"split",
       "negative",
       call([=] {
         return split(x, {4, -1}, 1);
       }),
       {"split", "[4, -1]"}},
      {"split", "of size 0", call([=] { return split(x, 0, 1); }), {"split", "at least 1", "0"}},
      {"chunk", "no chunks", call([=] { return chunk(x, 0, 1); }), {"chunk", "at least 1", "0"}},
      {"chunk", "axis", call([=] { return chunk(x, 2, 2); }), {"chunk", "axis 2", "[2, 3]"}},
      {"flip", "axis", call([=] { return flip(x, {2}); }), {"flip", "axis 2", "[2, 3]"}},
      {"flip",
       "axis twice",
       call([=] {
         return flip(x, {0, -2});
       }),
       {"flip", "axis -2", "twice"}},
      {"roll",
       "shifts and axes",
       call([=] {
         return roll(x, {1, 2}, {0});
       }),
       {"roll", "2 shifts", "1 axes"}},
      {"roll", "axis", call([=] { return roll(x, {1}, {-3}); }), {"roll", "axis -3", "[2, 3]"}},
      {"repeat",
       "too few counts",
       call([=] { return repeat(x, {2}); }),
       {"repeat", "1 counts [2]", "[2, 3]"}},
      {"repeat",
       "negative count",
       call([=] {
         return repeat(x, {1, -1});
       }),
       {"repeat", "count -1", "axis 1"}},
      {"tril", "one axis", call([=] { return tril(ones({3})); }), {"tril", "two axes", "[3]"}},
      {"triu", "no axis", call([=] { return triu(ones({})); }), {"triu", "two axes", "[]"}},
  };
}

}  // namespace headwise::testing
