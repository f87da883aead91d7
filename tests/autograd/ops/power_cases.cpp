#include "tests/autograd/op_cases.h"

namespace headwise::testing {

std::vector<OpCase> power_cases() {
  std::vector<OpCase> rows = {
      {"pow",
       "broadcast both ways",
       [](const Args& x) { return pow(x[0], x[1]); },
       {positive({2, 1, 3}, 100), normal({4, 1}, 101)}},
      {"pow",
       "strided operands",
       [](const Args& x) { return pow(x[0].transpose(0, 1), x[1].slice(1, 1, 3)); },
       {positive({2, 3}, 102), normal({3, 4}, 103)}},
      {"pow", "with itself", [](const Args& x) { return pow(x[0], x[0]); }, {positive({4}, 104)}},
      {"pow",
       "negative bases to whole exponents",
       [](const Args& x) {
         return pow(x[0], from({2.0, 3.0, 0.0, 1.0}));
       },
       {normal({3, 4}, 105) - 4.0}},
      {"pow", "literal base", [](const Args& x) { return pow(0.7, x[0]); }, {normal({2, 3}, 106)}},
      {"pow", "literal base of 0", [](const Args& x) { return pow(0, x[0]); }, {positive({2, 3}, 107)}},
      {"pow",
       "of nothing",
       [](const Args& x) { return pow(x[0], x[1]); },
       {positive({0, 3}, 108), normal({3}, 109)}},
  };
  for (const double exponent : {-2.0, -1.0, 0.0, 0.5, 1.0, 2.0, 3.0, 4.5})
    rows.push_back({"pow",
                    fmt::format("exponent {}", exponent),
                    [exponent](const Args& x) { return pow(x[0].transpose(0, 1), exponent); },
                    {positive({2, 3}, 110)}});
  return rows;
}

std::vector<ErrorCase> power_errors() {
  const Tensor x = ones({2, 3}), y = ones({2}), d = ones({2, 3}, f64), n = ones({2, 3}, i64);
  return {
      {"pow", "clashing shapes", call([=] { return pow(x, y); }), {"pow", "[2, 3]", "[2]", "axis -1"}},
      {"pow", "mixed dtypes", call([=] { return pow(x, d); }), {"pow", "f32", "f64"}},
      {"pow", "integers", call([=] { return pow(n, n); }), {"pow", "i64"}},
      {"pow", "integers to a literal", call([=] { return pow(n, 2); }), {"pow", "i64"}},
      {"pow", "literal to integers", call([=] { return pow(2, n); }), {"pow", "i64"}},
  };
}

}  // namespace headwise::testing
