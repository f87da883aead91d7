#include <cmath>

#include "headwise/autograd/autograd.h"
#include "headwise/layers/layers.h"
#include "headwise/optim/optim.h"

int main() {
  using namespace headwise;
  Rng rng(1);
  MultiHeadAttention attention({.d_model = 8, .heads = 2}, rng);
  Adam adam(attention.named_parameters(), {.lr = 1e-2});
  const Tensor x = randn({2, 5, 8}, rng);
  auto loss = [&] { return mse_loss(attention.forward(x).output, x); };

  const Tensor before = loss();
  backward(before);
  adam.step();
  const float first = before.item<float>(), second = loss().item<float>();
  fmt::print("loss {} before one step, {} after\n", first, second);
  return std::isfinite(second) && second < first ? 0 : 1;
}
