// MultiHeadAttention against values made with PyTorch in f64: output, weights and every gradient.
#include "headwise/layers/layers.h"
#include "tests/support/reference_file.h"

namespace headwise::testing {
namespace {

// The mask of a case: `allowed`, and causality on top of it.
AttentionOptions options_of(const Json& row, Tensor bias) {
  AttentionOptions options{.bias = std::move(bias)};
  if (!row["allowed"].is_null()) options.allowed = tensor_of(row["allowed"]).to(boolean);
  if (row["causal"]) options.causal = Causal::top_left;
  return options;
}

}  // namespace

TEST_CASE("the layer agrees with PyTorch in output, weights and all gradients", "[mha][reference]") {
  const Json rows = reference_cases("attention_reference.json");
  CHECK(rows.size() == 38);
  for (const bool create_graph : {false, true})
    for (const Json& row : rows) {
      INFO(row["name"].get<std::string>() << ", create_graph " << create_graph);
      Rng rng(1);
      MultiHeadAttention layer({row["d_model"], row["heads"], !row["b_Q"].is_null()}, rng);
      layer.to(f64);
      NamedTensors state;
      for (const auto& entry : layer.named_parameters())
        state.emplace_back(entry.first, tensor_of(row[entry.first]));
      layer.load_state_dict(state);

      auto leaf = [&](const char* name) {
        Tensor x = tensor_of(row[name]);
        return x.defined() ? x.set_requires_grad(true) : x;
      };
      const Tensor query = leaf("query"), key = leaf("key"), value = leaf("value"), bias = leaf("bias");
      const AttentionOptions options = options_of(row, bias);
      const Attended found =
          key.defined() ? layer.forward(query, key, value, options) : layer.forward(query, options);
      check_close(found.output, tensor_of(row["output"]), 1e-12);
      check_close(found.weights, tensor_of(row["weights"]), 1e-12);

      NamedTensors wanted = layer.named_parameters();
      for (const auto& [name, x] :
           {std::pair{"query", query}, {"key", key}, {"value", value}, {"bias", bias}})
        if (x.defined()) wanted.emplace_back(name, x);
      std::vector<Tensor> leaves;
      for (const auto& entry : wanted) leaves.push_back(entry.second);
      const auto gradients =
          grad(std::vector{found.output}, leaves, std::vector{tensor_of(row["output_cotangent"])},
               {.create_graph = create_graph});
      for (size_t i = 0; i < wanted.size(); ++i) {
        INFO("gradient of " << wanted[i].first);
        check_close(gradients[i], tensor_of(row["grad_" + wanted[i].first]), 1e-12);
      }
    }
}

}  // namespace headwise::testing
