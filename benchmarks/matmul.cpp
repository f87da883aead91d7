// The matrix product against Eigen's, one thread each. Names read <dtype>/<form>/[count x] M,K,N/<whose>:
// nn is A B, nt is A W^T (q k^T, y = x W^T), tn is A^T B (weight gradients), all in row-major memory.
//
//   matmul --benchmark_enable_random_interleaving=true --benchmark_repetitions=9
//          --benchmark_report_aggregates_only=true
#include "headwise/autograd/kernels/matmul.h"

#include <cstdint>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <benchmark/benchmark.h>

#include "headwise/autograd/kernels/parallel.h"

namespace {

namespace kernels = headwise::kernels;

enum class Form { nn, nt, tn };

struct Case {
  Form form;
  int64_t m, k, n, count;
};

constexpr Case cases[] = {
    // per head: q k^T, weights v, and the products of their vjps
    {Form::nt, 16, 8, 16, 1},
    {Form::nn, 16, 16, 8, 1},
    {Form::tn, 16, 16, 8, 1},
    {Form::nt, 32, 16, 32, 1},
    {Form::nn, 32, 32, 16, 1},
    {Form::nt, 128, 64, 128, 1},
    {Form::nn, 128, 128, 64, 1},
    {Form::nn, 8, 8, 4, 1},
    {Form::nt, 8, 4, 8, 1},
    {Form::nt, 1, 8, 8, 1},
    {Form::nn, 1, 8, 8, 1},
    {Form::nt, 7, 5, 11, 1},
    // batches of heads
    {Form::nt, 16, 8, 16, 256},
    {Form::nn, 16, 16, 8, 256},
    {Form::nt, 32, 16, 32, 256},
    {Form::nn, 32, 32, 16, 256},
    {Form::nn, 8, 8, 4, 256},
    // projections and their input gradients
    {Form::nt, 4, 8, 8, 1},
    {Form::nt, 512, 32, 32, 1},
    {Form::nn, 512, 32, 32, 1},
    {Form::nt, 1024, 64, 64, 1},
    {Form::nn, 1024, 64, 64, 1},
    {Form::nt, 512, 24, 24, 1},
    {Form::nt, 1, 512, 512, 1},
    {Form::nn, 1, 512, 512, 1},
    // weight gradients
    {Form::tn, 32, 512, 32, 1},
    {Form::tn, 64, 1024, 64, 1},
    // large
    {Form::nn, 64, 64, 64, 1},
    {Form::nt, 64, 64, 64, 1},
    {Form::nn, 128, 128, 128, 1},
    {Form::nt, 128, 128, 128, 1},
    {Form::nn, 512, 512, 512, 1},
    {Form::nt, 512, 512, 512, 1},
    {Form::tn, 512, 512, 512, 1},
    {Form::nt, 1024, 512, 512, 1},
    {Form::tn, 512, 1024, 512, 1},
    {Form::nn, 512, 512, 1024, 1},
};

template <class T>
struct Operands {
  explicit Operands(const Case& c)
      : a(static_cast<std::size_t>(c.count * c.m * c.k)),
        b(static_cast<std::size_t>(c.count * c.k * c.n)),
        product(static_cast<std::size_t>(c.count * c.m * c.n)) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<T>(i % 17) / 17 - T(0.5);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<T>(i % 13) / 13 - T(0.5);
  }
  std::vector<T> a, b, product;
};

void count_flops(benchmark::State& state, const Case& c) {
  state.counters["GFLOP/s"] =
      benchmark::Counter(2e-9 * static_cast<double>(c.count * c.m * c.k * c.n),
                         benchmark::Counter::kIsIterationInvariantRate, benchmark::Counter::kIs1000);
}

template <class T>
void ours(benchmark::State& state, const Case& c) {
  Operands<T> x(c);
  kernels::MatrixView<const T> a{x.a.data(), c.m, c.k, c.k, 1}, b{x.b.data(), c.k, c.n, c.n, 1};
  if (c.form == Form::tn) a = {a.data, c.m, c.k, 1, c.m};
  if (c.form == Form::nt) b = {b.data, c.k, c.n, 1, c.k};
  const kernels::MatrixView<T> product{x.product.data(), c.m, c.n, c.n, 1};
  for (auto _ : state) {
    if (c.count == 1)
      kernels::matmul_serial<T>(a, b, product);
    else
      kernels::batched_matmul<T>(c.count, a, c.m * c.k, b, c.k * c.n, product, c.m * c.n);
    benchmark::ClobberMemory();
  }
  count_flops(state, c);
}

template <class T>
void eigen(benchmark::State& state, const Case& c) {
  using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using Input = Eigen::Map<const Matrix>;
  Operands<T> x(c);
  for (auto _ : state) {
    for (int64_t i = 0; i < c.count; ++i) {
      const T* a = x.a.data() + i * c.m * c.k;
      const T* b = x.b.data() + i * c.k * c.n;
      Eigen::Map<Matrix> product(x.product.data() + i * c.m * c.n, c.m, c.n);
      if (c.form == Form::nn) product.noalias() = Input(a, c.m, c.k) * Input(b, c.k, c.n);
      if (c.form == Form::nt) product.noalias() = Input(a, c.m, c.k) * Input(b, c.n, c.k).transpose();
      if (c.form == Form::tn) product.noalias() = Input(a, c.k, c.m).transpose() * Input(b, c.k, c.n);
    }
    benchmark::ClobberMemory();
  }
  count_flops(state, c);
}

template <class T>
void add(const Case& c, const std::string& dtype) {
  const std::string forms[] = {"nn", "nt", "tn"};
  const std::string name = dtype + "/" + forms[static_cast<std::size_t>(c.form)] + "/" +
                           (c.count > 1 ? std::to_string(c.count) + "x" : "") + std::to_string(c.m) + "," +
                           std::to_string(c.k) + "," + std::to_string(c.n);
  benchmark::RegisterBenchmark((name + "/ours").c_str(), ours<T>, c);
  benchmark::RegisterBenchmark((name + "/eigen").c_str(), eigen<T>, c);
}

}  // namespace

int main(int argc, char** argv) {
  kernels::set_num_threads(1);
  Eigen::setNbThreads(1);
  for (const Case& c : cases) {
    add<float>(c, "f32");
    add<double>(c, "f64");
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
