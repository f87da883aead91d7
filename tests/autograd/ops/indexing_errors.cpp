#include "tests/autograd/error_cases.h"

namespace headwise::testing {

std::vector<ErrorCase> indexing_errors() {
  const Tensor x = ones({2, 3}), y = ones({2});
  return {
      {"gather",
       "index out of range",
       call([=] {
         return gather(x, 1, full({2, 1}, 3, i64));
       }),
       {"gather", "index 3", "size 3"}},
      {"gather",
       "index shape",
       call([=] {
         return gather(x, 1, full({3, 1}, 0, i64));
       }),
       {"gather", "[3, 1]", "[2, 3]"}},
      {"scatter_add",
       "values and index differ",
       call([=] {
         return scatter_add(x, 1, full({2, 1}, 0, i64), {2, 3});
       }),
       {"scatter_add", "[2, 3]", "[2, 1]"}},
      {"embedding",
       "out of table",
       call([=] {
         return embedding(x, from<int64_t>({0, 2}));
       }),
       {"embedding", "index 2", "position 1", "size 2"}},
      {"embedding",
       "negative",
       call([=] { return embedding(x, from<int64_t>({-1})); }),
       {"embedding", "index -1"}},
      {"index_select",
       "out of the axis",
       call([=] {
         return index_select(x, -1, from<int64_t>({2, 3}));
       }),
       {"index_select", "index 3", "position 1", "size 3"}},
      {"index_select",
       "no such axis",
       call([=] { return index_select(x, 2, from<int64_t>({0})); }),
       {"index_select", "axis 2", "[2, 3]"}},
      {"index_select_grad",
       "float indices",
       call([=] { return index_select(x, 0, y); }),
       {"index_select", "i64", "f32"}},
  };
}

}  // namespace headwise::testing
