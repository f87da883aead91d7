#include "tests/autograd/op_cases.h"

namespace headwise::testing {

std::vector<OpCase> views_cases() {
  return {
      {"view",
       "merged axes",
       [](const Args& x) {
         return x[0].view({6, 2}) * x[0].view({6, 2});
       },
       {normal({2, 3, 2}, 50)}},
      {"permute",
       "three axes",
       [](const Args& x) {
         return x[0].permute({2, 0, 1}) * x[1];
       },
       {normal({2, 3, 4}, 51), normal({4, 2, 3}, 52)}},
      {"expand",
       "new and old axes",
       [](const Args& x) {
         return x[0].expand({2, 3, 4}) * x[1];
       },
       {normal({3, 1}, 53), normal({2, 3, 4}, 54)}},
      {"slice", "middle", [](const Args& x) { return x[0].slice(1, 1, 3); }, {normal({2, 4}, 55)}},
      {"slice",
       "one position, dropped",
       [](const Args& x) { return x[0].select(0, -1); },
       {normal({3, 4}, 56)}},
      // pad is what slice's vjp runs; it is seen when that vjp is differentiated.
      {"pad",
       "through the vjp of slice",
       [](const Args& x) {
         const Tensor leaf = x[0].requires_grad() ? x[0] : x[0].clone().set_requires_grad(true);
         const GradMode recording(true);
         const Tensor part = leaf.slice(0, 1, 3);
         return grad(sum(part * part * part), {leaf}, {.create_graph = true})[0];
       },
       {normal({4, 2}, 57)}},
      {"clone",
       "of a transpose",
       [](const Args& x) { return x[0].transpose(0, 1).contiguous() * x[1]; },
       {normal({2, 3}, 58), normal({3, 2}, 59)}},
      {"to",
       "through f64 and back",
       [](const Args& x) { return x[0].to(f64).to(f64) * 2.0; },
       {normal({3}, 64)}},
      {"identity", "values", [](const Args& x) { return identity(x[0]) * x[0]; }, {normal({3}, 68)}},
  };
}

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
