#include "tests/autograd/op_cases.h"

namespace headwise::testing {

std::vector<OpCase> vector_norm_cases() {
  auto with_power = [](double p) { return [p](const Args& x) { return norm(x[0], {-1}, {.p = p}); }; };
  return {
      {"norm", "all", [](const Args& x) { return norm(x[0]); }, {normal({2, 3}, 40)}},
      {"norm",
       "two axes of a transposed input",
       [](const Args& x) {
         return norm(x[0].transpose(0, 2), {0, 1}, true);
       },
       {normal({2, 3, 4}, 41)}},
      {"abs", "norm, p = 1", with_power(1), {distinct({2, 3}, 42)}},
      {"amax", "norm, p = infinity", with_power(INFINITY), {normal({2, 3}, 43)}},
      {"pow", "norm, p = 3", with_power(3), {distinct({2, 3}, 44)}},
      {"pow", "norm, p = 3.5, a zero among the terms", with_power(3.5), {from({{0.0, 1.5, -2.0}})}},
      {"pow", "norm, p = 0.5", with_power(0.5), {positive({2, 3}, 45) - 2.0}},
  };
}

std::vector<ErrorCase> vector_norm_errors() {
  const Tensor x = ones({2, 3});
  return {
      {"norm", "of i64", call([] { return norm(arange(3)); }), {"norm", "i64"}},
      {"norm", "p = 0", call([=] { return norm(x, {.p = 0}); }), {"norm", "p ", "0"}},
      {"norm", "negative p", call([=] { return norm(x, {.p = -2}); }), {"norm", "-2"}},
      {"norm", "p is no number", call([=] { return norm(x, {.p = NAN}); }), {"norm", "nan"}},
      {"norm", "axis out of range", call([=] { return norm(x, {2}); }), {"norm", "axis 2", "[2, 3]"}},
  };
}

}  // namespace headwise::testing
