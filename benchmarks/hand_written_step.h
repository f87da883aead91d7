// The yardstick of attention_step: one training step written out by hand on Eigen.
//
// No graph, no ops, no allocation: what an engine's generality costs is its own time divided by this one. A
// step is forward, mean-squared-error loss, backward and Adam over W_Q, W_K, W_V, W_O, in f32 without bias.
#pragma once

#include <vector>

#include <Eigen/Dense>

namespace headwise::benchmarks {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Configuration {
  int batch, length, d_model, heads;
};

class HandWrittenStep {
 public:
  explicit HandWrittenStep(const Configuration& configuration);
  /// Runs training step `t`, counted from 1, and returns the loss before it.
  float operator()(int t);

 private:
  using Block = Eigen::Map<Matrix, 0, Eigen::OuterStride<>>;

  struct Adam {
    Matrix first, second;
    explicit Adam(const Matrix& w) : first(Matrix::Zero(w.rows(), w.cols())), second(first) {}
    void step(Matrix& w, const Matrix& g, int t);
  };

  Block head(Matrix& m, int sample, int head) const;
  float* weights(int sample, int head);

  int batch_, length_, d_model_, heads_, width_;
  Matrix x_, y_, w_qkv_, w_o_, qkv_, d_qkv_, context_, output_, d_output_, d_context_, dw_qkv_, dw_o_,
      d_weights_;
  std::vector<float> weights_;
  Adam adam_qkv_, adam_o_;
};

}  // namespace headwise::benchmarks
