// Axes of length 0 through every family of ops: shapes, what a reduction over nothing gives, and gradients
// and second derivatives of the inputs' shapes.
#include "tests/autograd/op_inputs.h"

namespace headwise::testing {
namespace {

struct EmptyCase {
  const char* name;
  TensorFunction f;
  Args inputs;
  Shape shape;
  double value = 0;  // of every element there is
};

Args of(std::initializer_list<Shape> shapes) {
  Args inputs;
  for (const Shape& shape : shapes) inputs.push_back(ones(shape, f64));
  return inputs;
}

std::vector<EmptyCase> elementwise_cases() {
  std::vector<EmptyCase> cases;
  for (auto* f : {static_cast<Tensor (*)(const Tensor&)>(operator-), exp, log, sqrt, square, abs, sin, cos,
                  tanh, erf, relu, sigmoid, silu, softplus, logsigmoid})
    cases.push_back({"a function of one", [f](const Args& x) { return f(x[0]); }, of({{2, 0}}), {2, 0}});
  cases.push_back({"gelu", [](const Args& x) { return gelu(x[0], Gelu::tanh); }, of({{0, 2}}), {0, 2}});
  for (auto* f :
       {static_cast<Tensor (*)(const Tensor&, const Tensor&)>(operator+), operator-, operator*, operator/,
        maximum, minimum, pow, zero_safe_mul})
    cases.push_back({"a function of two, broadcast both ways",
                     [f](const Args& x) { return f(x[0], x[1]); },
                     of({{2, 1, 3}, {0, 1}}),
                     {2, 0, 3}});
  cases.push_back({"where",
                   [](const Args& x) { return where(ones({1}, boolean), x[0], x[1]); },
                   of({{0, 3}, {3}}),
                   {0, 3}});
  cases.push_back({"masked_fill",
                   [](const Args& x) { return masked_fill(x[0], ones({1}, boolean), 1); },
                   of({{0, 3}}),
                   {0, 3}});
  cases.push_back({"clamp", [](const Args& x) { return clamp(x[0], 0, 1); }, of({{0}}), {0}});
  return cases;
}

std::vector<EmptyCase> axis_cases() {
  const Args cube = of({{2, 0, 3}});
  return {
      {"sum", [](const Args& x) { return sum(x[0], {1}); }, cube, {2, 3}},
      {"sum of all", [](const Args& x) { return sum(x[0]); }, cube, {}},
      {"mean along another axis", [](const Args& x) { return mean(x[0], {0}); }, cube, {0, 3}},
      {"prod", [](const Args& x) { return prod(x[0], {-2}, true); }, cube, {2, 1, 3}, 1},
      {"amax along another axis", [](const Args& x) { return amax(x[0], {0}); }, cube, {0, 3}},
      {"max along another axis", [](const Args& x) { return max(x[0], 2).values; }, cube, {2, 0}},
      {"norm", [](const Args& x) { return norm(x[0], {1}); }, cube, {2, 3}},
      {"norm, p = 3", [](const Args& x) { return norm(x[0], {1}, {.p = 3}); }, cube, {2, 3}},
      {"stddev along another axis", [](const Args& x) { return stddev(x[0], {0}); }, cube, {0, 3}},
      {"cumsum", [](const Args& x) { return cumsum(x[0], 1); }, cube, {2, 0, 3}},
      {"sort", [](const Args& x) { return sort(x[0], 1).values; }, cube, {2, 0, 3}},
      {"topk", [](const Args& x) { return topk(x[0], 0, 2).values; }, cube, {2, 0, 0}},
      {"softmax", [](const Args& x) { return softmax(x[0], 1); }, cube, {2, 0, 3}},
      {"log_softmax", [](const Args& x) { return log_softmax(x[0], 1); }, cube, {2, 0, 3}},
      {"logsumexp", [](const Args& x) { return logsumexp(x[0], 1); }, cube, {2, 3}, -INFINITY},
      {"logsumexp along another axis",
       [](const Args& x) { return logsumexp(x[0], 2, true); },
       cube,
       {2, 0, 1}},
      {"layer_norm",
       [](const Args& x) { return layer_norm(x[0], x[1], x[2]); },
       of({{0, 3}, {3}, {3}}),
       {0, 3}},
  };
}

std::vector<EmptyCase> arrangement_cases() {
  const Args cube = of({{2, 0, 3}});
  const Tensor none = zeros({0}, i64);
  return {
      {"view",
       [](const Args& x) {
         return x[0].view({3, 0});
       },
       cube,
       {3, 0}},
      {"permute",
       [](const Args& x) {
         return x[0].permute({2, 0, 1});
       },
       cube,
       {3, 2, 0}},
      {"expand to nothing",
       [](const Args& x) {
         return x[0].expand({0, 3});
       },
       of({{1, 3}}),
       {0, 3}},
      {"slice to nothing", [](const Args& x) { return x[0].slice(0, 2, 2); }, of({{3, 2}}), {0, 2}},
      {"select", [](const Args& x) { return x[0].select(2, 1); }, cube, {2, 0}},
      {"clone", [](const Args& x) { return x[0].transpose(0, 1).clone(); }, cube, {0, 2, 3}},
      {"cat", [](const Args& x) { return cat(x, 0); }, of({{0, 2}, {1, 2}, {0, 2}}), {1, 2}, 1},
      {"stack", [](const Args& x) { return stack(x, 1); }, of({{0, 2}, {0, 2}}), {0, 2, 2}},
      {"split",
       [](const Args& x) {
         return split(x[0], {0, 2}, 0)[0];
       },
       of({{2, 3}}),
       {0, 3}},
      {"chunk", [](const Args& x) { return chunk(x[0], 2, 1)[1]; }, cube, {2, 0, 3}},
      {"flip", [](const Args& x) { return flip(x[0]); }, cube, {2, 0, 3}},
      {"roll", [](const Args& x) { return roll(x[0], {1}, {1}); }, cube, {2, 0, 3}},
      {"repeat none",
       [](const Args& x) {
         return repeat(x[0], {0, 2});
       },
       of({{2, 3}}),
       {0, 6}},
      {"tril", [](const Args& x) { return tril(x[0]); }, cube, {2, 0, 3}},
      {"gather", [=](const Args& x) { return gather(x[0], 0, none); }, of({{3}}), {0}},
      {"scatter_add", [=](const Args& x) { return scatter_add(x[0], 0, none, {3}); }, of({{0}}), {3}},
      {"index_select", [=](const Args& x) { return index_select(x[0], 1, none); }, of({{2, 3}}), {2, 0}},
      {"embedding", [=](const Args& x) { return embedding(x[0], none); }, of({{3, 2}}), {0, 2}},
  };
}

std::vector<EmptyCase> product_and_loss_cases() {
  auto attention = [](const Args& x) { return scaled_dot_product_attention(x[0], x[1], x[2]).output; };
  return {
      {"matmul over nothing", [](const Args& x) { return matmul(x[0], x[1]); }, of({{2, 0}, {0, 3}}), {2, 3}},
      {"matmul of no rows", [](const Args& x) { return matmul(x[0], x[1]); }, of({{0, 2}, {2, 3}}), {0, 3}},
      {"matmul of no batch",
       [](const Args& x) { return matmul(x[0], x[1]); },
       of({{0, 4, 2}, {2, 3}}),
       {0, 4, 3}},
      {"linear of no rows",
       [](const Args& x) { return linear(x[0], x[1], x[2]); },
       of({{0, 2}, {3, 2}, {3}}),
       {0, 3}},
      {"linear of no inputs",
       [](const Args& x) { return linear(x[0], x[1], x[2]); },
       of({{2, 0}, {3, 0}, {3}}),
       {2, 3},
       1},
      {"einsum", [](const Args& x) { return einsum("ij,jk->ki", x[0], x[1]); }, of({{2, 0}, {0, 3}}), {3, 2}},
      {"attention of no queries", attention, of({{1, 2, 0, 3}, {1, 2, 4, 3}, {1, 2, 4, 2}}), {1, 2, 0, 2}},
      {"attention to no keys", attention, of({{1, 2, 3, 3}, {1, 2, 0, 3}, {1, 2, 0, 2}}), {1, 2, 3, 2}},
      {"attention of no batch", attention, of({{0, 2, 3, 3}, {0, 2, 4, 3}, {0, 2, 4, 2}}), {0, 2, 3, 2}},
      {"cross_entropy",
       [](const Args& x) { return cross_entropy(x[0], zeros({0}, i64)).loss; },
       of({{0, 3}}),
       {}},
      {"mse_loss", [](const Args& x) { return mse_loss(x[0], x[1]); }, of({{0, 3}, {0, 3}}), {}},
      {"bce_with_logits, kept apart",
       [](const Args& x) { return bce_with_logits(x[0], x[1], {.reduction = Reduction::none}); },
       of({{0, 3}, {0, 3}}),
       {0, 3}},
  };
}

void check_derivatives(const EmptyCase& row) {
  Args leaves;
  for (const Tensor& x : row.inputs) leaves.push_back(x.clone().set_requires_grad(true));
  for (const bool create_graph : {false, true}) {
    CAPTURE(create_graph);
    const Tensor y = row.f(leaves);
    const auto gradients =
        grad(std::vector{y}, leaves, std::vector{ones(y.shape(), f64)}, {.create_graph = create_graph});
    Tensor squares = zeros({}, f64);
    for (size_t i = 0; i < leaves.size(); ++i) {
      CHECK(gradients[i].shape() == leaves[i].shape());
      CHECK(gradients[i].dtype() == f64);
      CHECK(all(gradients[i] - gradients[i] == 0).item<bool>());  // finite
      squares = squares + sum(gradients[i] * gradients[i]);
    }
    if (!squares.requires_grad()) continue;
    const auto second = grad(std::vector{squares}, leaves, {}, {.allow_unused = true});
    for (size_t i = 0; i < leaves.size(); ++i)
      if (second[i].defined()) CHECK(second[i].shape() == leaves[i].shape());
  }
}

}  // namespace

TEST_CASE("axes of length 0 pass through every op and its derivatives", "[shape]") {
  for (const auto& family :
       {elementwise_cases(), axis_cases(), arrangement_cases(), product_and_loss_cases()})
    for (const EmptyCase& row : family) {
      INFO(row.name);
      const Tensor y = row.f(row.inputs);
      CHECK(y.shape() == row.shape);
      CHECK(all(y == row.value).item<bool>());
      check_derivatives(row);
    }
}

TEST_CASE("scalars of no axes stay scalars, with their dtype, and so do their gradients", "[shape]") {
  const Tensor mask = ones({}, boolean), index = zeros({}, i64);
  const std::vector<TensorFunction> functions{
      [](const Args& x) { return -x[0] + x[0] * x[0] - 1.0 / x[0]; },
      [](const Args& x) { return exp(log(sqrt(square(abs(x[0]))))); },
      [](const Args& x) { return sin(x[0]) * cos(x[0]) + tanh(x[0]) + erf(x[0]); },
      [](const Args& x) { return relu(x[0]) + gelu(x[0]) + gelu(x[0], Gelu::tanh) + sigmoid(x[0]); },
      [](const Args& x) { return silu(x[0]) + softplus(x[0]) + logsigmoid(x[0]); },
      [](const Args& x) { return pow(x[0], 2) + pow(x[0], x[0]) + pow(2, x[0]); },
      [](const Args& x) { return maximum(x[0], 0) + minimum(x[0], 1) + clamp(x[0], 0, 2); },
      [=](const Args& x) { return where(mask, x[0], x[0] * 2.0) + masked_fill(x[0], mask, 0); },
      [](const Args& x) {
        return sum(x[0]) + mean(x[0]) + prod(x[0]) + amax(x[0]) + amin(x[0]) + norm(x[0]);
      },
      [](const Args& x) { return var(x[0], {.correction = 0}) + stddev(x[0], {.correction = 0}); },
      [](const Args& x) { return x[0].clone().view({1}).squeeze(0).unsqueeze(0).expand({3}).select(0, 1); },
      [=](const Args& x) { return index_select(x[0].view({1}), 0, index) + repeat(x[0], {}); },
      [](const Args& x) {
        return mse_loss(x[0], x[0] * 2.0) + l1_loss(x[0], x[0] * 2.0) + huber_loss(x[0], -x[0]);
      },
      [](const Args& x) { return bce_with_logits(x[0], x[0]) + kl_div(x[0], x[0]); },
  };
  for (size_t i = 0; i < functions.size(); ++i)
    for (const DType dtype : {f32, f64})
      for (const bool create_graph : {false, true}) {
        CAPTURE(i, name_of(dtype), create_graph);
        const Tensor x = full({}, 0.75, dtype).set_requires_grad(true);
        const Tensor y = functions[i]({x});
        CHECK(y.shape() == Shape{});
        CHECK(y.dtype() == dtype);
        const Tensor slope = grad(y, {x}, {.create_graph = create_graph})[0];
        CHECK(slope.shape() == Shape{});
        CHECK(slope.dtype() == dtype);
        if (!create_graph || !slope.requires_grad()) continue;
        const Tensor curvature = grad(slope, {x}, {.allow_unused = true})[0];
        if (!curvature.defined()) continue;
        CHECK(curvature.shape() == Shape{});
        CHECK(curvature.dtype() == dtype);
      }
}

}  // namespace headwise::testing
