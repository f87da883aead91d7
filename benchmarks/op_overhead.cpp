// What the engine costs per op: a small add with and without recording, and a node of a backward pass.
#include <benchmark/benchmark.h>

#include "headwise/autograd/autograd.h"

namespace {

using namespace headwise;

void add_recorded(benchmark::State& state) {
  const Tensor a = ones({16}).set_requires_grad(true), b = ones({16});
  for (auto _ : state) benchmark::DoNotOptimize(a + b);
}
BENCHMARK(add_recorded);

void add_unrecorded(benchmark::State& state) {
  const Tensor a = ones({16}), b = ones({16});
  for (auto _ : state) benchmark::DoNotOptimize(a + b);
}
BENCHMARK(add_unrecorded);

// Backward through a chain of adds; the counter is the time per node.
void backward_per_node(benchmark::State& state) {
  constexpr int64_t nodes = 1000;
  const Tensor b = ones({16});
  Tensor a = ones({16}).set_requires_grad(true);
  const Tensor cotangent = ones({16});
  for (auto _ : state) {
    state.PauseTiming();
    Tensor y = a;
    for (int64_t i = 0; i < nodes; ++i) y = y + b;
    a.zero_grad();
    state.ResumeTiming();
    backward(y, cotangent);
  }
  state.counters["per_node"] =
      benchmark::Counter(static_cast<double>(nodes),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(backward_per_node);

}  // namespace

BENCHMARK_MAIN();
