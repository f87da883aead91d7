#include "tests/autograd/op_cases.h"

namespace headwise::testing {
namespace {

Tensor probabilities(const Shape& shape, uint64_t seed) { return softmax(normal(shape, seed), -1); }

}  // namespace

std::vector<OpCase> losses_cases() {
  const Tensor weight = from({0.5, 1.0, 2.0}), pos_weight = from({3.0, 0.0, 0.7});
  return {
      {"mse_loss",
       "mean, both sides",
       [](const Args& x) { return mse_loss(x[0], x[1]); },
       {normal({2, 3}, 75), normal({2, 3}, 76)}},
      {"mse_loss",
       "kept apart, of a transpose",
       [](const Args& x) { return mse_loss(x[0].transpose(0, 1), x[1], Reduction::none); },
       {normal({3, 2}, 80), normal({2, 3}, 81)}},
      {"l1_loss",
       "mean",
       [](const Args& x) { return l1_loss(x[0] * x[0], x[1]); },
       {distinct({2, 3}, 82), normal({2, 3}, 83)}},
      {"l1_loss",
       "kept apart",
       [](const Args& x) { return l1_loss(x[0], x[1] * x[1], Reduction::none); },
       {distinct({2, 3}, 82), normal({2, 3}, 83)}},
      {"huber_loss",
       "both parts, sum",
       [](const Args& x) {
         return huber_loss(x[0] * 3.0, x[1], {.delta = 0.8, .reduction = Reduction::sum});
       },
       {normal({3, 4}, 84), normal({3, 4}, 85)}},
      {"huber_loss",
       "kept apart, of a transpose",
       [](const Args& x) { return huber_loss(x[0].transpose(0, 1), x[1], {.reduction = Reduction::none}); },
       {normal({3, 2}, 86), normal({2, 3}, 87)}},
      {"bce_with_logits",
       "mean, both sides",
       [](const Args& x) { return bce_with_logits(x[0], x[1]); },
       {normal({2, 3}, 88), probabilities({2, 3}, 89)}},
      {"bce_with_logits",
       "weighted, kept apart",
       [=](const Args& x) {
         return bce_with_logits(x[0], x[1],
                                {.weight = weight, .pos_weight = pos_weight, .reduction = Reduction::none});
       },
       {normal({2, 3}, 92), probabilities({2, 3}, 93)}},
      {"kl_div",
       "of probabilities, sum",
       [](const Args& x) { return kl_div(log_softmax(x[0], -1), x[1], {.reduction = Reduction::sum}); },
       {normal({2, 3}, 94), probabilities({2, 3}, 95)}},
      {"kl_div",
       "of log-probabilities, kept apart",
       [](const Args& x) { return kl_div(x[0], x[1], {.log_targets = true, .reduction = Reduction::none}); },
       {normal({2, 3}, 96), normal({2, 3}, 97)}},
  };
}

std::vector<ErrorCase> losses_errors() {
  const Tensor x = ones({2, 3}), wide = ones({2, 3}, f64), column = ones({2, 1});
  return {
      {"mse_loss", "shapes", call([=] { return mse_loss(x, column); }), {"mse_loss", "[2, 3]", "[2, 1]"}},
      {"mse_loss", "dtypes", call([=] { return mse_loss(x, wide); }), {"mse_loss", "f32", "f64"}},
      {"l1_loss", "shapes", call([=] { return l1_loss(x, column); }), {"l1_loss", "[2, 3]", "[2, 1]"}},
      {"l1_loss",
       "integers",
       call([=] { return l1_loss(x.to(i64), x.to(i64)); }),
       {"l1_loss", "i64", "f32 or f64"}},
      {"huber_loss",
       "delta",
       call([=] { return huber_loss(x, x, {.delta = 0}); }),
       {"huber_loss", "delta", "0"}},
      {"huber_loss",
       "delta that is no number",
       call([=] { return huber_loss(x, x, {.delta = NAN}); }),
       {"huber_loss", "delta", "nan"}},
      {"huber_loss", "dtypes", call([=] { return huber_loss(x, wide); }), {"huber_loss", "f32", "f64"}},
      {"bce_with_logits",
       "shapes",
       call([=] { return bce_with_logits(x, column); }),
       {"bce_with_logits", "[2, 3]", "[2, 1]"}},
      {"bce_with_logits",
       "weight",
       call([=] { return bce_with_logits(x, x, {.weight = ones({2})}); }),
       {"bce_with_logits", "weight of shape [2]", "[2, 3]"}},
      {"bce_with_logits",
       "dtype of pos_weight",
       call([=] { return bce_with_logits(x, x, {.pos_weight = wide}); }),
       {"bce_with_logits", "f32", "f64"}},
      {"kl_div", "shapes", call([=] { return kl_div(x, column); }), {"kl_div", "[2, 3]", "[2, 1]"}},
      {"kl_div", "dtypes", call([=] { return kl_div(x, wide); }), {"kl_div", "f32", "f64"}},
  };
}

}  // namespace headwise::testing
