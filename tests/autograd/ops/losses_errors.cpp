#include "tests/autograd/error_cases.h"

namespace headwise::testing {

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
