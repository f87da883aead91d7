#include "tests/autograd/error_cases.h"

namespace headwise::testing {

std::vector<ErrorCase> views_errors() {
  const Tensor x = ones({2, 3}), d = ones({2, 3}, f64);
  return {
      {"view", "too few elements", call([=] { return x.view({4}); }), {"view", "[2, 3]", "[4]"}},
      {"view",
       "needs a copy",
       call([=] { return x.transpose(0, 1).view({6}); }),
       {"view", "without copying", "reshape"}},
      {"permute",
       "axis twice",
       call([=] {
         return x.permute({0, 0});
       }),
       {"permute", "twice"}},
      {"permute", "too few axes", call([=] { return x.permute({0}); }), {"permute", "1 axes", "[2, 3]"}},
      {"expand",
       "wrong size",
       call([=] {
         return x.expand({2, 4});
       }),
       {"expand", "[2, 3]", "[2, 4]"}},
      {"slice", "axis out of range", call([=] { return x.slice(2, 0, 1); }), {"slice", "axis 2"}},
      {"slice", "index out of range", call([=] { return x.select(1, 3); }), {"select", "index 3", "[2, 3]"}},
      {"pad", "through slice of no axis", call([=] { return ones({}).slice(0, 0, 1); }), {"slice", "axis 0"}},
      {"clone",
       "into the wrong dtype",
       call([=] {
         Tensor t = x.clone();
         return t.copy_from(d);
       }),
       {"copy_from", "f32", "f64"}},
      {"to",
       "gradient of integers",
       call([=] { return x.to(i64).set_requires_grad(true); }),
       {"set_requires_grad", "i64"}},
      {"identity",
       "in-place change of a result",
       call([=] {
         Tensor t = identity(x.clone().set_requires_grad(true));
         return t.fill(0);
       }),
       {"copy_from", "NoGrad"}},
  };
}

}  // namespace headwise::testing
