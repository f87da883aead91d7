#include "tests/autograd/reference/reference_ops.h"

namespace headwise::testing {
namespace {

using Args = std::vector<Tensor>;

}  // namespace

ReferenceOps arrangement_reference_ops() {
  return {
      {"view", [](const Args& x, const Json& a) { return x[0].view(shape_of(a["shape"])); }},
      {"permute",
       [](const Args& x, const Json& a) { return permute(x[0], a["order"].get<std::vector<int>>()); }},
      {"transpose", [](const Args& x, const Json& a) { return x[0].transpose(a["first"], a["second"]); }},
      {"expand", [](const Args& x, const Json& a) { return x[0].expand(shape_of(a["shape"])); }},
      {"slice", [](const Args& x, const Json& a) { return x[0].slice(a["axis"], a["start"], a["stop"]); }},
      {"select", [](const Args& x, const Json& a) { return x[0].select(a["axis"], a["index"]); }},
      {"clone", [](const Args& x, const Json&) { return x[0].clone(); }},
      {"to", [](const Args& x, const Json&) { return x[0].to(f32).to(f64); }},
      {"cat", [](const Args& x, const Json& a) { return cat(x, a["axis"]); }},
      {"stack", [](const Args& x, const Json& a) { return stack(x, a["axis"]); }},
      {"split",
       [](const Args& x, const Json& a) {
         return split(x[0], a["sizes"].get<std::vector<int64_t>>(), a["axis"]).at(a["part"]);
       }},
      {"chunk",
       [](const Args& x, const Json& a) { return chunk(x[0], a["count"], a["axis"]).at(a["part"]); }},
      {"flip",
       [](const Args& x, const Json& a) {
         return with_axes(a["axes"], [&](Axes axes) { return flip(x[0], axes); });
       }},
      {"roll", [](const Args& x,
                  const Json& a) { return roll(x[0], {a["shift"].get<int64_t>()}, {a["axis"].get<int>()}); }},
      {"repeat", [](const Args& x, const Json& a) { return repeat(x[0], shape_of(a["counts"])); }},
      {"tril", [](const Args& x, const Json& a) { return tril(x[0], a["diagonal"]); }},
      {"triu", [](const Args& x, const Json& a) { return triu(x[0], a["diagonal"]); }},
      {"gather",
       [](const Args& x, const Json& a) { return gather(x[0], a["axis"], integers_of(a["index"])); }},
      {"scatter_add",
       [](const Args& x, const Json& a) {
         return scatter_add(x[0], a["axis"], integers_of(a["index"]), shape_of(a["shape"]));
       }},
      {"index_select",
       [](const Args& x, const Json& a) { return index_select(x[0], a["axis"], integers_of(a["index"])); }},
      {"embedding", [](const Args& x, const Json& a) { return embedding(x[0], integers_of(a["index"])); }},
  };
}

}  // namespace headwise::testing
