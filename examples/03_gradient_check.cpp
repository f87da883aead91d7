// An op of one's own, and whether its gradient is right. softcap(x, c) = c tanh(x / c) keeps scores within
// +-c; with t = tanh(x / c) its derivatives are 1 - t^2 for x and t - (x / c) (1 - t^2) for c. The second is
// easily got wrong: here once by forgetting that c also stands inside the tanh.
#include "headwise/autograd/autograd.h"

using namespace headwise;

namespace {

enum class Derivation { right, forgets_the_inner_cap };

Function softcap(Derivation derivation) {
  return {
      .name = "softcap",
      .forward =
          [](const std::vector<Tensor>& inputs) {
            const Tensor &x = inputs[0], &cap = inputs[1];
            return FunctionForward{.outputs = {cap * tanh(x / cap)}, .saved = {x, cap}};
          },
      .vjp =
          [derivation](const FunctionVjp& v) {
            const Tensor &x = v.saved[0], &cap = v.saved[1], &dy = v.cotangents[0];
            const Tensor t = tanh(x / cap), slope = 1.0 - t * t;
            const Tensor dcap = derivation == Derivation::right ? t - x / cap * slope : t;
            return std::vector{dy * slope, sum_to(dy * dcap, cap.shape())};
          },
  };
}

void check(const char* title, Derivation derivation, const std::vector<Tensor>& inputs) {
  const Function function = softcap(derivation);
  const auto report =
      gradcheck([&](const std::vector<Tensor>& in) { return function(in); }, inputs, {.names = {"x", "cap"}});
  fmt::print("{}: {}\n{}", title, name_of(report.verdict()), report);
}

}  // namespace

int main() {
  try {
    Rng rng(1);
    const std::vector<Tensor> inputs{randn({2, 3}, rng, f64), from({1.5, 2.0, 3.0})};
    check("the vjp as derived", Derivation::right, inputs);
    fmt::print("\n");
    check("a vjp that forgets a term", Derivation::forgets_the_inner_cap, inputs);
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
