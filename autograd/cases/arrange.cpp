#include "headwise/autograd/cases/families.h"

namespace headwise::cases {

std::vector<OpCase> arrange_cases(Rng& rng) {
  const Tensor weights = normal({3, 4, 6}, rng);
  return {
      {"cat",
       "three along the middle",
       [](const Args& x) { return cat(x, 1); },
       {normal({2, 1, 2}, rng), normal({2, 3, 2}, rng), normal({2, 2, 2}, rng)}},
      {"cat",
       "one of them empty, one a transpose",
       [](const Args& x) {
         return cat({x[0], x[1], x[2].transpose(0, 1)}, 0) * sum(x[0]);
       },
       {normal({2, 2}, rng), normal({0, 2}, rng), normal({2, 3}, rng)}},
      {"stack",
       "a tensor twice and another",
       [](const Args& x) {
         return stack({x[0], x[1], x[0] * x[1]}, -1);
       },
       {normal({2, 3}, rng), normal({2, 3}, rng)}},
      {"split",
       "uneven parts, used unevenly",
       [](const Args& x) {
         const auto parts = split(x[0], {1, 0, 3}, 1);
         return parts[2] * parts[0] + sum(parts[1]);
       },
       {normal({2, 4}, rng)}},
      {"split",
       "parts of a size, of a transpose",
       [](const Args& x) {
         const auto parts = split(x[0].transpose(0, 1), 2, 0);
         return parts[0] * parts[1] * parts[2];
       },
       {normal({1, 5}, rng)}},
      {"chunk",
       "query, key and value in one",
       [](const Args& x) {
         const auto parts = chunk(x[0], 3, -1);
         return parts[0] * parts[1] + parts[2] * parts[2];
       },
       {normal({2, 6}, rng)}},
      {"flip",
       "two axes",
       [](const Args& x) {
         return flip(x[0], {0, -1}) * x[0];
       },
       {normal({2, 3, 2}, rng)}},
      {"flip",
       "all, of a transpose",
       [](const Args& x) { return flip(x[0].transpose(0, 1)) * x[1]; },
       {normal({2, 3}, rng), normal({3, 2}, rng)}},
      {"roll",
       "two axes, either way",
       [](const Args& x) {
         return roll(x[0], {1, -7}, {0, 1}) * x[0];
       },
       {normal({3, 4}, rng)}},
      {"repeat",
       "new and old axes",
       [](const Args& x) {
         return repeat(x[0], {3, 4, 2}) * x[1];
       },
       {normal({1, 3}, rng), weights}},
      {"repeat",
       "nothing at all",
       [](const Args& x) {
         return sum(repeat(x[0], {0, 2})) + x[0];
       },
       {normal({2, 2}, rng)}},
      {"tril", "of a batch", [](const Args& x) { return tril(x[0]) * x[0]; }, {normal({2, 3, 4}, rng)}},
      {"triu",
       "above a diagonal, of a transpose",
       [](const Args& x) { return triu(x[0].transpose(0, 1), -1) * x[1]; },
       {normal({3, 4}, rng), normal({4, 3}, rng)}},
  };
}

}  // namespace headwise::cases
