#include "headwise/autograd/cases/families.h"

namespace headwise::cases {

std::vector<OpCase> power_cases(Rng& rng) {
  std::vector<OpCase> rows = {
      {"pow",
       "broadcast both ways",
       [](const Args& x) { return pow(x[0], x[1]); },
       {positive({2, 1, 3}, rng), normal({4, 1}, rng)}},
      {"pow",
       "strided operands",
       [](const Args& x) { return pow(x[0].transpose(0, 1), x[1].slice(1, 1, 3)); },
       {positive({2, 3}, rng), normal({3, 4}, rng)}},
      {"pow", "with itself", [](const Args& x) { return pow(x[0], x[0]); }, {positive({4}, rng)}},
      {"pow",
       "negative bases to whole exponents",
       [](const Args& x) {
         return pow(x[0], from({2.0, 3.0, 0.0, 1.0}));
       },
       {normal({3, 4}, rng) - 4.0}},
      {"pow", "literal base", [](const Args& x) { return pow(0.7, x[0]); }, {normal({2, 3}, rng)}},
      {"pow", "literal base of 0", [](const Args& x) { return pow(0, x[0]); }, {positive({2, 3}, rng)}},
      {"pow",
       "of nothing",
       [](const Args& x) { return pow(x[0], x[1]); },
       {positive({0, 3}, rng), normal({3}, rng)}},
  };
  for (const double exponent : {-2.0, -1.0, 0.0, 0.5, 1.0, 2.0, 3.0, 4.5})
    rows.push_back({"pow",
                    fmt::format("exponent {}", exponent),
                    [exponent](const Args& x) { return pow(x[0].transpose(0, 1), exponent); },
                    {positive({2, 3}, rng)}});
  return rows;
}

}  // namespace headwise::cases
