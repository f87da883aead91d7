// Ops against values, gradients and second derivatives made with PyTorch in f64. Two numbers agree when
// |a - b| <= 1e-12 max(1, |b|), b PyTorch's.
#include "headwise/autograd/op_names.h"
#include "tests/autograd/op_inputs.h"
#include "tests/autograd/reference/reference_ops.h"

namespace headwise::testing {
namespace {

constexpr double tolerance = 1e-12;

const ReferenceOps& reference_ops() {
  static const ReferenceOps all = [] {
    ReferenceOps ops;
    for (const ReferenceOps& family :
         {elementwise_reference_ops(), reduction_reference_ops(), arrangement_reference_ops(),
          product_reference_ops(), loss_reference_ops()})
      ops.insert(family.begin(), family.end());
    return ops;
  }();
  return all;
}

// Ops without a counterpart in PyTorch, and why.
const std::map<std::string_view, const char*> exceptions{
    {"zero_safe_mul", "a rule of this engine; part of most gradients here"},
    {"pad", "records the vjp of slice, whose second derivatives run it"},
    {"index_select_grad", "records the vjp of index_select, whose second derivatives run it"},
    {"identity", "a mark in the graph; part of the second derivatives of fused ops"},
    {"dropout", "draws a mask from a generator of its own"},
};

std::vector<Tensor> leaves_of(const Json& entries) {
  std::vector<Tensor> leaves;
  for (const Json& entry : entries) leaves.push_back(tensor_of(entry).set_requires_grad(true));
  return leaves;
}

// check(row, op, inputs) for each case of a file, after what must hold of the file: that it is whole,
// at least two for every differentiable op, and none that is not known here.
template <class Check>
void for_each_case(const char* file, size_t cases, Check check) {
  const Json rows = reference_cases(file);
  CHECK(rows.size() == cases);
  std::map<std::string, int> count;
  for (const Json& row : rows) {
    const auto op = row["op"].get<std::string>();
    INFO("case " << ++count[op] << " of " << op << ", attributes " << row["attributes"].dump());
    REQUIRE(reference_ops().count(op) == 1);
    check(row, reference_ops().at(op), leaves_of(row["inputs"]));
  }
  std::vector<std::string_view> names(std::begin(op_names), std::end(op_names));
  names.insert(names.end(), std::begin(cases::composed_names), std::end(cases::composed_names));
  for (const std::string_view name : names) {
    INFO(name << " has too few cases in " << file);
    CHECK((exceptions.count(name) == 1 || count[std::string(name)] >= 2));
  }
}

}  // namespace

TEST_CASE("values and gradients agree with PyTorch", "[ops][reference]") {
  for_each_case("op_reference.json", 395, [](const Json& row, const ReferenceOp& op, const auto& inputs) {
    const Tensor output = op(inputs, row["attributes"]);
    check_close(output, tensor_of(row["output"]), tolerance);
    for (const bool create_graph : {false, true}) {
      CAPTURE(create_graph);
      const auto gradients = grad(std::vector{output}, inputs, std::vector{tensor_of(row["cotangent"])},
                                  {.retain_graph = true, .create_graph = create_graph});
      for (size_t i = 0; i < inputs.size(); ++i)
        check_close(gradients[i], tensor_of(row["gradients"][i]), tolerance);
    }
  });
}

// The gradients of <directions, gradients of <cotangent, output>> to the inputs and to the cotangent.
TEST_CASE("second derivatives agree with PyTorch", "[ops][reference]") {
  for_each_case("op_second_reference.json", 210, [](const Json& row, const ReferenceOp& op, auto inputs) {
    const Tensor cotangent = tensor_of(row["cotangent"]).set_requires_grad(true);
    const auto gradients = grad(std::vector{op(inputs, row["attributes"])}, inputs, std::vector{cotangent},
                                {.create_graph = true});
    std::vector<Tensor> directions, expected;
    for (const Json& entry : row["directions"]) directions.push_back(tensor_of(entry));
    for (const Json& entry : row["gradients"]) expected.push_back(tensor_of(entry));
    inputs.push_back(cotangent);
    expected.push_back(tensor_of(row["cotangent_gradient"]));
    const auto second = grad(gradients, inputs, directions, {.allow_unused = true});
    for (size_t i = 0; i < inputs.size(); ++i) {
      CAPTURE(i);
      check_close(second[i].defined() ? second[i] : zeros(inputs[i].shape(), f64), expected[i], tolerance);
    }
  });
}

}  // namespace headwise::testing
