#include "headwise/autograd/cases/families.h"

namespace headwise::cases {

std::vector<OpCase> indexing_cases(Rng& rng) {
  const Tensor rows = integers({1, 1, 2, 0}, {4});
  const Tensor along = integers({0, 2, 2, 1, 1, 0}, {2, 3});
  return {
      {"gather",
       "last axis",
       [along](const Args& x) { return gather(x[0], 1, along); },
       {normal({2, 3}, rng)}},
      {"scatter_add",
       "repeated targets",
       [along](const Args& x) {
         return scatter_add(x[0], 1, along, {2, 3});
       },
       {normal({2, 3}, rng)}},
      {"embedding",
       "repeated rows",
       [rows](const Args& x) { return embedding(x[0], rows); },
       {normal({3, 2}, rng)}},
      {"index_select",
       "middle axis, repeated, into two axes",
       [along](const Args& x) { return index_select(x[0], -2, along) * x[1]; },
       {normal({2, 3, 2}, rng), normal({2, 2, 3, 2}, rng)}},
      {"index_select",
       "of a transpose, along the last axis",
       [rows](const Args& x) { return index_select(x[0].transpose(0, 1), 1, rows); },
       {normal({3, 2}, rng)}},
      {"gather",
       "beside another use",
       [along](const Args& x) { return gather(x[0], 0, along.slice(0, 0, 1)) * sum(x[0] * x[0]); },
       {normal({3, 3}, rng)}},
      {"index_select_grad",
       "through the vjp of index_select",
       [rows](const Args& x) {
         const Tensor leaf = x[0].requires_grad() ? x[0] : x[0].clone().set_requires_grad(true);
         const GradMode recording(true);
         const Tensor picked = index_select(leaf, 0, rows);
         return grad(sum(picked * picked * picked), {leaf}, {.create_graph = true})[0];
       },
       {normal({3, 2}, rng)}},
  };
}

}  // namespace headwise::cases
