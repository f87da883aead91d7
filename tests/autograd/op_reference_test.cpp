// Single ops against values and gradients made with PyTorch in f64.
#include <functional>
#include <map>

#include "tests/support/reference_file.h"

namespace headwise::testing {
namespace {

using Operation = std::function<Tensor(const std::vector<Tensor>&, const Json& attributes)>;

template <Tensor (*f)(const Tensor&)>
Tensor elementwise(const std::vector<Tensor>& x, const Json&) {
  return f(x[0]);
}
template <Tensor (*f)(const Tensor&, Axes, bool)>
Tensor reducing(const std::vector<Tensor>& x, const Json& a) {
  return f(x[0], {a["axis"].get<int>()}, a["keepdim"].get<bool>());
}

std::map<std::string, Operation> operations() {
  using Args = std::vector<Tensor>;
  return {
      {"exp", elementwise<exp>},
      {"log", elementwise<log>},
      {"sqrt", elementwise<sqrt>},
      {"tanh", elementwise<tanh>},
      {"relu", elementwise<relu>},
      {"gelu", [](const Args& x, const Json&) { return gelu(x[0]); }},
      {"softmax", [](const Args& x, const Json& a) { return softmax(x[0], a["axis"]); }},
      {"log_softmax", [](const Args& x, const Json& a) { return log_softmax(x[0], a["axis"]); }},
      {"logsumexp", [](const Args& x, const Json& a) { return logsumexp(x[0], a["axis"], a["keepdim"]); }},
      {"sum", reducing<sum>},
      {"mean", reducing<mean>},
      {"max", [](const Args& x, const Json& a) { return max(x[0], a["axis"], a["keepdim"]).values; }},
      {"layer_norm", [](const Args& x, const Json& a) { return layer_norm(x[0], x[1], x[2], a["eps"]); }},
      {"cross_entropy",
       [](const Args& x, const Json& a) {
         const auto targets = a["targets"].get<std::vector<int64_t>>();
         return cross_entropy(x[0], from_values<int64_t>(targets, {static_cast<int64_t>(targets.size())}))
             .loss;
       }},
      {"mse_loss", [](const Args& x, const Json&) { return mse_loss(x[0], x[1]); }},
      {"matmul", [](const Args& x, const Json&) { return matmul(x[0], x[1]); }},
  };
}

}  // namespace

TEST_CASE("ops agree with PyTorch in value and gradient", "[ops][reference]") {
  const auto known = operations();
  std::map<std::string, int> seen;
  int number = 0;
  for (const Json& row : reference_cases("op_reference.json")) {
    const auto op = row["op"].get<std::string>();
    INFO("case " << number++ << ", " << op);
    REQUIRE(known.count(op) == 1);
    ++seen[op];
    std::vector<Tensor> inputs;
    for (const Json& entry : row["inputs"]) inputs.push_back(tensor_of(entry).set_requires_grad(true));
    const Tensor output = known.at(op)(inputs, row["attributes"]);
    check_close(output, tensor_of(row["output"]), 1e-13);
    for (const bool create_graph : {true, false}) {
      const auto gradients =
          grad(std::vector{output}, inputs, std::vector{tensor_of(row["output_cotangent"])},
               {.retain_graph = true, .create_graph = create_graph});
      for (size_t i = 0; i < inputs.size(); ++i)
        check_close(gradients[i], tensor_of(row["gradients"][i]), 1e-13);
    }
  }
  for (const auto& entry : known) CHECK(seen[entry.first] >= 3);
}

}  // namespace headwise::testing
