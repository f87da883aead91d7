#include "headwise/autograd/cases/families.h"

namespace headwise::cases {
namespace {

// Rows that add up to 1, none of them near 0.
Tensor probabilities(const Shape& shape, Rng& rng) { return softmax(positive(shape, rng), -1); }

}  // namespace

std::vector<OpCase> losses_cases(Rng& rng) {
  const Tensor weight = from({0.5, 1.0, 2.0}), pos_weight = from({3.0, 0.0, 0.7});
  return {
      {"mse_loss",
       "mean, both sides",
       [](const Args& x) { return mse_loss(x[0], x[1]); },
       {normal({2, 3}, rng), normal({2, 3}, rng)}},
      {"mse_loss",
       "kept apart, of a transpose",
       [](const Args& x) { return mse_loss(x[0].transpose(0, 1), x[1], Reduction::none); },
       {normal({3, 2}, rng), normal({2, 3}, rng)}},
      {"l1_loss",
       "mean",
       [](const Args& x) { return l1_loss(x[0], x[1]) * sum(x[0] * x[1]); },
       {distinct({2, 3}, rng), between({2, 3}, rng)}},
      {"l1_loss",
       "kept apart",
       [](const Args& x) { return l1_loss(x[0], x[1], Reduction::none) * x[0]; },
       {distinct({2, 3}, rng), between({2, 3}, rng)}},
      {"huber_loss",
       "both parts, sum",
       [](const Args& x) {
         return huber_loss(x[0] * 2.0, x[1], {.delta = 0.8, .reduction = Reduction::sum});
       },
       {between({3, 4}, rng), distinct({3, 4}, rng)}},
      {"huber_loss",
       "kept apart, of a transpose",
       [](const Args& x) {
         return huber_loss(x[0].transpose(0, 1), x[1], {.delta = 0.3, .reduction = Reduction::none});
       },
       {between({3, 2}, rng), distinct({2, 3}, rng)}},
      {"bce_with_logits",
       "mean, both sides",
       [](const Args& x) { return bce_with_logits(x[0], x[1]); },
       {normal({2, 3}, rng), probabilities({2, 3}, rng)}},
      {"bce_with_logits",
       "weighted, kept apart",
       [=](const Args& x) {
         return bce_with_logits(x[0], x[1],
                                {.weight = weight, .pos_weight = pos_weight, .reduction = Reduction::none});
       },
       {normal({2, 3}, rng), probabilities({2, 3}, rng)}},
      {"kl_div",
       "of probabilities, sum",
       [](const Args& x) { return kl_div(log_softmax(x[0], -1), x[1], {.reduction = Reduction::sum}); },
       {normal({2, 3}, rng), probabilities({2, 3}, rng)}},
      {"kl_div",
       "of log-probabilities, kept apart",
       [](const Args& x) { return kl_div(x[0], x[1], {.log_targets = true, .reduction = Reduction::none}); },
       {normal({2, 3}, rng), normal({2, 3}, rng)}},
  };
}

}  // namespace headwise::cases
