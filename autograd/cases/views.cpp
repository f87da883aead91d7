#include "headwise/autograd/cases/families.h"

namespace headwise::cases {

std::vector<OpCase> views_cases(Rng& rng) {
  return {
      {"view",
       "merged axes",
       [](const Args& x) {
         return x[0].view({6, 2}) * x[0].view({6, 2});
       },
       {normal({2, 3, 2}, rng)}},
      {"permute",
       "three axes",
       [](const Args& x) {
         return x[0].permute({2, 0, 1}) * x[1];
       },
       {normal({2, 3, 4}, rng), normal({4, 2, 3}, rng)}},
      {"expand",
       "new and old axes",
       [](const Args& x) {
         return x[0].expand({2, 3, 4}) * x[1];
       },
       {normal({3, 1}, rng), normal({2, 3, 4}, rng)}},
      {"slice", "middle", [](const Args& x) { return x[0].slice(1, 1, 3); }, {normal({2, 4}, rng)}},
      {"slice",
       "one position, dropped",
       [](const Args& x) { return x[0].select(0, -1); },
       {normal({3, 4}, rng)}},
      // pad is what slice's vjp runs; it is seen when that vjp is differentiated.
      {"pad",
       "through the vjp of slice",
       [](const Args& x) {
         const Tensor leaf = x[0].requires_grad() ? x[0] : x[0].clone().set_requires_grad(true);
         const GradMode recording(true);
         const Tensor part = leaf.slice(0, 1, 3);
         return grad(sum(part * part * part), {leaf}, {.create_graph = true})[0];
       },
       {normal({4, 2}, rng)}},
      {"clone",
       "of a transpose",
       [](const Args& x) { return x[0].transpose(0, 1).contiguous() * x[1]; },
       {normal({2, 3}, rng), normal({3, 2}, rng)}},
      // The roundings of a share of 2^-24 vanish beside the rest; a gradient that is not passed on does not.
      {"to",
       "a share through f32 and back",
       [](const Args& x) { return x[0] + x[0].to(f32).to(f64) * 0x1p-24; },
       {normal({3}, rng)}},
      {"identity", "values", [](const Args& x) { return identity(x[0]) * x[0]; }, {normal({3}, rng)}},
  };
}

}  // namespace headwise::cases
