// What is not used sends nothing back, whatever its value: a zero cotangent times a local derivative that is
// not finite is zero, in first and second derivatives, in every row of the table of ops.
#include <algorithm>

#include "tests/autograd/op_inputs.h"

namespace headwise::testing {
namespace {

constexpr double extremes[] = {0, -0.0, -1, 800, -800, INFINITY, -INFINITY, NAN};

// Products of matrices add up what belongs to many elements, by the rules of IEEE arithmetic: there it is for
// the caller to hide what is not finite.
bool holds_for(const OpCase& row, double value) {
  constexpr std::string_view products[] = {"matmul", "linear", "einsum", "scaled_dot_product_attention"};
  return std::isfinite(value) ||
         std::find(std::begin(products), std::end(products), row.op) == std::end(products);
}

Tensor with_element(const Tensor& x, int64_t element, double value) {
  Tensor y = x.clone();
  y.mutable_values<double>()[static_cast<size_t>(element)] = value;
  return y;
}

// visit(inputs, position of the input, element) for some elements of every f64 input of a row, changed to
// `value`.
template <class Visit>
void for_each_spoilt(const OpCase& row, double value, Visit visit) {
  if (!holds_for(row, value)) return;
  for (size_t i = 0; i < row.inputs.size(); ++i) {
    const int64_t count = row.inputs[i].numel();
    if (row.inputs[i].dtype() != f64 || count == 0) continue;
    for (const int64_t element : {int64_t{0}, count / 2}) {
      Args inputs = row.inputs;
      inputs[i] = with_element(inputs[i], element, value);
      visit(inputs, i, element);
    }
  }
}

Args leaves_of(const Args& inputs) {
  Args leaves;
  for (const Tensor& x : inputs) leaves.push_back(x.dtype() == f64 ? x.clone().set_requires_grad(true) : x);
  return leaves;
}

Tensor or_zeros(const Tensor& gradient, const Tensor& input) {
  return gradient.defined() ? gradient.detach() : zeros(input.shape(), f64);
}

bool all_zero(const Tensor& x) { return all(x == 0).item<bool>(); }

// First derivatives, and those of their random mix; undefined ones as zeros.
struct Derivatives {
  Args first, second;
};
Derivatives derivatives(const OpCase& row, const Args& inputs, const Tensor& cotangent, bool create_graph) {
  const Args leaves = leaves_of(inputs);
  const Tensor output = row.function(leaves);
  const auto first = grad(std::vector{output}, leaves, std::vector{cotangent},
                          {.create_graph = create_graph, .allow_unused = true});
  Derivatives found;
  Tensor mixed = zeros({}, f64);
  for (size_t i = 0; i < leaves.size(); ++i) {
    found.first.push_back(or_zeros(first[i], leaves[i]));
    if (create_graph && first[i].defined())
      mixed = mixed + sum(first[i] * normal(leaves[i].shape(), 100 + i));
  }
  const auto second = mixed.requires_grad() ? grad(std::vector{mixed}, leaves, {}, {.allow_unused = true})
                                            : Args(leaves.size());
  for (size_t i = 0; i < leaves.size(); ++i) found.second.push_back(or_zeros(second[i], leaves[i]));
  return found;
}

// The outputs that depend on an element, as far as that shows at the spoilt inputs and beside the usual ones,
// where no zero of another element hides it.
Tensor changed_by(const OpCase& row, const Args& spoilt, size_t input, int64_t element) {
  auto moved = [&](Args inputs) {
    const Tensor before = row.function(inputs).detach();
    const double there = values(inputs[input])[static_cast<size_t>(element)];
    inputs[input] = with_element(inputs[input], element, there + 1e-3);
    return row.function(inputs).detach() != before;
  };
  Args beside = row.inputs;
  for (Tensor& x : beside)
    if (x.dtype() == f64) x = x + 1e-4 * normal(x.shape(), 5);
  const Tensor other_value = row.function(spoilt).detach() != row.function(row.inputs).detach();
  return logical_or(other_value, logical_or(moved(beside), moved(spoilt)));
}

}  // namespace

TEST_CASE("a zero cotangent gives zero derivatives at every value", "[singular]") {
  for (const OpCase& row : op_cases())
    for (const double value : extremes)
      for_each_spoilt(row, value, [&](const Args& inputs, size_t input, int64_t element) {
        INFO(row.op << ": " << row.what << ", input " << input << ", element " << element << " is " << value);
        const Tensor cotangent = zeros(row.function(inputs).shape(), f64);
        for (const bool create_graph : {false, true}) {
          CAPTURE(create_graph);
          const Derivatives found = derivatives(row, inputs, cotangent, create_graph);
          for (const Tensor& gradient : found.first) CHECK(all_zero(gradient));
          for (const Tensor& gradient : found.second) CHECK(all_zero(gradient));
        }
      });
}

TEST_CASE("an element whose results are not used changes no derivative of the others", "[singular]") {
  for (const OpCase& row : op_cases())
    for (const double value : extremes)
      for_each_spoilt(row, value, [&](const Args& inputs, size_t input, int64_t element) {
        INFO(row.op << ": " << row.what << ", input " << input << ", element " << element << " is " << value);
        const Tensor unused = changed_by(row, inputs, input, element);
        const Tensor cotangent = masked_fill(normal(unused.shape(), 7), unused, 0);
        for (const bool create_graph : {false, true}) {
          CAPTURE(create_graph);
          const Derivatives clean = derivatives(row, row.inputs, cotangent, create_graph),
                            spoilt = derivatives(row, inputs, cotangent, create_graph);
          for (size_t i = 0; i < inputs.size(); ++i) {
            check_close(spoilt.first[i], clean.first[i], 1e-12);
            check_close(spoilt.second[i], clean.second[i], 1e-12);
          }
        }
      });
}

}  // namespace headwise::testing
