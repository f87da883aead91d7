#include "tests/autograd/reference/reference_ops.h"

namespace headwise::testing {
namespace {

using Args = std::vector<Tensor>;

Reduction reduction_of(const Json& attributes) {
  const std::map<std::string, Reduction> known{
      {"mean", Reduction::mean}, {"sum", Reduction::sum}, {"none", Reduction::none}};
  return known.at(attributes["reduction"]);
}

}  // namespace

ReferenceOps loss_reference_ops() {
  return {
      {"mse_loss", [](const Args& x, const Json& a) { return mse_loss(x[0], x[1], reduction_of(a)); }},
      {"l1_loss", [](const Args& x, const Json& a) { return l1_loss(x[0], x[1], reduction_of(a)); }},
      {"huber_loss",
       [](const Args& x, const Json& a) {
         return huber_loss(x[0], x[1], {.delta = a["delta"], .reduction = reduction_of(a)});
       }},
      {"bce_with_logits",
       [](const Args& x, const Json& a) {
         return bce_with_logits(x[0], x[1],
                                {.weight = optional_tensor(a, "weight"),
                                 .pos_weight = optional_tensor(a, "pos_weight"),
                                 .reduction = reduction_of(a)});
       }},
      {"kl_div",
       [](const Args& x, const Json& a) {
         return kl_div(x[0], x[1], {.log_targets = a["log_targets"], .reduction = reduction_of(a)});
       }},
      {"cross_entropy",
       [](const Args& x, const Json& a) {
         return cross_entropy(x[0], integers_of(a["targets"]),
                              {.ignore_index = optional_number<int64_t>(a, "ignore_index"),
                               .label_smoothing = a["label_smoothing"],
                               .class_weights = optional_tensor(a, "class_weights"),
                               .reduction = reduction_of(a)})
             .loss;
       }},
  };
}

}  // namespace headwise::testing
