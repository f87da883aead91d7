#include "headwise/autograd/cases/families.h"

namespace headwise::cases {

std::vector<OpCase> bounds_cases(Rng& rng) {
  const Tensor a = distinct({3, 4}, rng), b = between({4}, rng);
  return {
      {"maximum", "broadcast", [](const Args& x) { return maximum(x[0], x[1]); }, {a, b}},
      {"maximum",
       "broadcast both ways, transposed",
       [](const Args& x) { return maximum(x[0].transpose(0, 1), x[1]); },
       {distinct({1, 3}, rng), between({2, 1, 4}, rng)}},
      {"maximum", "literal", [](const Args& x) { return maximum(0.2, maximum(x[0], -0.3)); }, {a}},
      {"minimum", "broadcast", [](const Args& x) { return minimum(x[0], x[1]); }, {b, a}},
      {"minimum", "literal", [](const Args& x) { return minimum(0.2, minimum(x[0], 0.3)); }, {a}},
      {"minimum", "of nothing", [](const Args& x) { return minimum(x[0], x[1]); }, {normal({0, 4}, rng), b}},
      {"clamp", "both limits", [](const Args& x) { return clamp(x[0], -0.2, 0.3); }, {a}},
      {"clamp", "min alone", [](const Args& x) { return clamp(x[0].transpose(0, 1), 0.1); }, {a}},
      {"clamp", "max alone", [](const Args& x) { return clamp(x[0], {}, 0.1); }, {a}},
  };
}

}  // namespace headwise::cases
