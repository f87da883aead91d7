// What each fused op buys: forward and backward beside the same written in plain ops, on one thread. Names
// read op/shape/fused or op/shape/plain.
//
//   fused_ops --benchmark_enable_random_interleaving=true --benchmark_repetitions=9
//             --benchmark_report_aggregates_only=true
#include <cmath>
#include <functional>

#include <benchmark/benchmark.h>

#include "headwise/autograd/autograd.h"
#include "headwise/optim/optim.h"

namespace {

using namespace headwise;

using Inputs = std::vector<Tensor>;
using Op = std::function<Tensor(const Inputs&)>;

Inputs leaves(std::initializer_list<Shape> shapes) {
  Rng rng(1);
  Inputs inputs;
  for (const Shape& shape : shapes) inputs.push_back(randn(shape, rng).set_requires_grad(true));
  return inputs;
}

void forward_and_backward(benchmark::State& state, const Inputs& inputs, const Op& op) {
  const Tensor cotangent = ones(op(inputs).shape());
  for (auto _ : state) {
    backward(op(inputs), cotangent);
    for (const Tensor& input : inputs) Tensor(input).zero_grad();
  }
}

void compare(const std::string& name, const Inputs& inputs, const Op& fused, const Op& plain) {
  benchmark::RegisterBenchmark((name + "/fused").c_str(), forward_and_backward, inputs, fused);
  benchmark::RegisterBenchmark((name + "/plain").c_str(), forward_and_backward, inputs, plain);
}

Tensor plain_softmax(const Tensor& x) {
  const Tensor powers = exp(x - amax(x.detach(), {-1}, true));
  return powers / sum(powers, {-1}, true);
}

void attention(const std::string& shape, int64_t batch, int64_t heads, int64_t length, int64_t width) {
  const Shape operand{batch, heads, length, width};
  compare(
      "scaled_dot_product_attention/" + shape, leaves({operand, operand, operand}),
      [](const Inputs& x) {
        return scaled_dot_product_attention(x[0], x[1], x[2], {.weights = false}).output;
      },
      [](const Inputs& x) { return attention_reference(x[0], x[1], x[2], {}).output; });
}

// One step over parameters of the sizes of an attention layer.
void adam_fused(benchmark::State& state) {
  Inputs parameters = leaves({{64, 64}, {64, 64}, {64, 64}, {64, 64}});
  NamedTensors named;
  for (Tensor& p : parameters) {
    named.emplace_back(std::to_string(named.size()), p);
    p.set_grad(ones(p.shape()));
  }
  Adam adam(named, {});
  for (auto _ : state) adam.step();
}

void adam_plain(benchmark::State& state) {
  Inputs parameters = leaves({{64, 64}, {64, 64}, {64, 64}, {64, 64}}), first, second;
  const Tensor gradient = ones({64, 64});
  for (size_t i = 0; i < parameters.size(); ++i) {
    first.push_back(zeros({64, 64}));
    second.push_back(zeros({64, 64}));
  }
  const NoGrad guard;
  double t = 0;
  for (auto _ : state) {
    t += 1;
    for (size_t i = 0; i < parameters.size(); ++i) {
      first[i] = first[i] * 0.9 + gradient * 0.1;
      second[i] = second[i] * 0.999 + gradient * gradient * 0.001;
      const Tensor m = first[i] / (1 - std::pow(0.9, t)), v = second[i] / (1 - std::pow(0.999, t));
      parameters[i].add_scaled(m / (sqrt(v) + 1e-8), -1e-3);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  set_num_threads(1);
  attention("32x4x16x8", 32, 4, 16, 8);
  attention("16x8x64x16", 16, 8, 64, 16);
  compare(
      "softmax/512x64", leaves({{512, 64}}), [](const Inputs& x) { return softmax(x[0], -1); },
      [](const Inputs& x) { return plain_softmax(x[0]); });
  compare(
      "layer_norm/512x64", leaves({{512, 64}, {64}, {64}}),
      [](const Inputs& x) { return layer_norm(x[0], x[1], x[2]); },
      [](const Inputs& x) { return layer_norm_reference(x[0], x[1], x[2]); });
  const Tensor targets = full({128}, 3, i64);
  compare(
      "cross_entropy/128x1000", leaves({{128, 1000}}),
      [targets](const Inputs& x) { return cross_entropy(x[0], targets).loss; },
      [targets](const Inputs& x) { return cross_entropy_reference(x[0], targets).loss; });
  compare(
      "linear/512x64", leaves({{512, 64}, {64, 64}, {64}}),
      [](const Inputs& x) { return linear(x[0], x[1], x[2]); },
      [](const Inputs& x) { return matmul(x[0], x[1].transpose(0, 1)) + x[2]; });
  benchmark::RegisterBenchmark("adam/4x64x64/fused", adam_fused);
  benchmark::RegisterBenchmark("adam/4x64x64/plain", adam_plain);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
