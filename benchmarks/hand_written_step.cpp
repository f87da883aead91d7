#include "headwise/benchmarks/hand_written_step.h"

#include <cmath>

namespace headwise::benchmarks {

void HandWrittenStep::Adam::step(Matrix& w, const Matrix& g, int t) {
  const auto step = static_cast<float>(t);
  const float c1 = 1.f / (1.f - std::pow(0.9f, step)), c2 = 1.f / (1.f - std::pow(0.999f, step));
  first = 0.9f * first + 0.1f * g;
  second = 0.999f * second + 0.001f * g.cwiseAbs2();
  w.array() -= 1e-3f * (first.array() * c1) / ((second.array() * c2).sqrt() + 1e-8f);
}

HandWrittenStep::HandWrittenStep(const Configuration& c)
    : batch_(c.batch),
      length_(c.length),
      d_model_(c.d_model),
      heads_(c.heads),
      width_(c.d_model / c.heads),
      x_(Matrix::Random(batch_ * length_, d_model_)),
      y_(Matrix::Random(batch_ * length_, d_model_)),
      w_qkv_(Matrix::Random(d_model_, 3 * d_model_) / std::sqrt(static_cast<float>(d_model_))),
      w_o_(Matrix::Random(d_model_, d_model_) / std::sqrt(static_cast<float>(d_model_))),
      qkv_(batch_ * length_, 3 * d_model_),
      d_qkv_(batch_ * length_, 3 * d_model_),
      context_(batch_ * length_, d_model_),
      output_(batch_ * length_, d_model_),
      d_output_(batch_ * length_, d_model_),
      d_context_(batch_ * length_, d_model_),
      dw_qkv_(d_model_, 3 * d_model_),
      dw_o_(d_model_, d_model_),
      d_weights_(length_, length_),
      weights_(static_cast<size_t>(batch_) * static_cast<size_t>(heads_ * length_ * length_)),
      adam_qkv_(w_qkv_),
      adam_o_(w_o_) {}

HandWrittenStep::Block HandWrittenStep::head(Matrix& m, int sample, int head) const {
  return {&m(sample * length_, head * width_), length_, width_, Eigen::OuterStride<>(m.cols())};
}

float* HandWrittenStep::weights(int sample, int head) {
  return &weights_[static_cast<size_t>(sample * heads_ + head) * static_cast<size_t>(length_ * length_)];
}

float HandWrittenStep::operator()(int t) {
  const float scale = 1.f / std::sqrt(static_cast<float>(width_));
  qkv_.noalias() = x_ * w_qkv_;
  for (int b = 0; b < batch_; ++b)
    for (int i = 0; i < heads_; ++i) {
      Eigen::Map<Matrix> p(weights(b, i), length_, length_);
      p.noalias() = head(qkv_, b, i) * head(qkv_, b, heads_ + i).transpose();
      p.array() *= scale;
      for (int r = 0; r < length_; ++r) {
        auto row = p.row(r).array();
        row = (row - row.maxCoeff()).exp();
        row *= 1.f / row.sum();
      }
      head(context_, b, i).noalias() = p * head(qkv_, b, 2 * heads_ + i);
    }
  output_.noalias() = context_ * w_o_;

  const auto size = static_cast<float>(output_.size());
  d_output_ = (output_ - y_) * (2.f / size);
  const float loss = (output_ - y_).squaredNorm() / size;

  dw_o_.noalias() = context_.transpose() * d_output_;
  d_context_.noalias() = d_output_ * w_o_.transpose();
  for (int b = 0; b < batch_; ++b)
    for (int i = 0; i < heads_; ++i) {
      Eigen::Map<Matrix> p(weights(b, i), length_, length_);
      head(d_qkv_, b, 2 * heads_ + i).noalias() = p.transpose() * head(d_context_, b, i);
      d_weights_.noalias() = head(d_context_, b, i) * head(qkv_, b, 2 * heads_ + i).transpose();
      for (int r = 0; r < length_; ++r) {
        auto row = p.row(r).array();
        auto d = d_weights_.row(r).array();
        d = row * (d - (row * d).sum()) * scale;
      }
      head(d_qkv_, b, i).noalias() = d_weights_ * head(qkv_, b, heads_ + i);
      head(d_qkv_, b, heads_ + i).noalias() = d_weights_.transpose() * head(qkv_, b, i);
    }
  dw_qkv_.noalias() = x_.transpose() * d_qkv_;
  adam_qkv_.step(w_qkv_, dw_qkv_, t);
  adam_o_.step(w_o_, dw_o_, t);
  return loss;
}

}  // namespace headwise::benchmarks
