#include "tests/autograd/op_cases.h"

namespace headwise::testing {

std::vector<OpCase> indexing_cases() {
  const Tensor rows = integers({1, 1, 2, 0}, {4});
  const Tensor along = integers({0, 2, 2, 1, 1, 0}, {2, 3});
  return {
      {"gather",
       "last axis",
       [along](const Args& x) { return gather(x[0], 1, along); },
       {normal({2, 3}, 69)}},
      {"scatter_add",
       "repeated targets",
       [along](const Args& x) {
         return scatter_add(x[0], 1, along, {2, 3});
       },
       {normal({2, 3}, 70)}},
      {"embedding",
       "repeated rows",
       [rows](const Args& x) { return embedding(x[0], rows); },
       {normal({3, 2}, 71)}},
      {"index_select",
       "middle axis, repeated, into two axes",
       [along](const Args& x) { return index_select(x[0], -2, along) * x[1]; },
       {normal({2, 3, 2}, 78), normal({2, 2, 3, 2}, 79)}},
      {"index_select",
       "of a transpose, along the last axis",
       [rows](const Args& x) { return index_select(x[0].transpose(0, 1), 1, rows); },
       {normal({3, 2}, 90)}},
      {"gather",
       "beside another use",
       [along](const Args& x) { return gather(x[0], 0, along.slice(0, 0, 1)) * sum(x[0] * x[0]); },
       {normal({3, 3}, 91)}},
      {"index_select_grad",
       "through the vjp of index_select",
       [rows](const Args& x) {
         const Tensor leaf = x[0].requires_grad() ? x[0] : x[0].clone().set_requires_grad(true);
         const GradMode recording(true);
         const Tensor picked = index_select(leaf, 0, rows);
         return grad(sum(picked * picked * picked), {leaf}, {.create_graph = true})[0];
       },
       {normal({3, 2}, 72)}},
  };
}

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
