#include "headwise/autograd/kernels/attention.h"

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "headwise/autograd/kernels/flush_subnormals.h"
#include "headwise/autograd/kernels/matmul.h"
#include "headwise/autograd/kernels/parallel.h"
#include "headwise/autograd/kernels/softmax.h"
#include "headwise/autograd/kernels/sum.h"

namespace headwise::kernels {
namespace {

// Scores held at a time: they fit a common second-level cache, and so many rows repay packing the keys.
constexpr int64_t block_elements = 32768;
constexpr int64_t head_grain = 131072;  // scores below which a second thread costs more than it saves

template <class T>
MatrixView<T> rows_of(const Heads<T>& heads, int64_t batch, int64_t head, int64_t first, int64_t count,
                      int64_t cols) {
  return {heads.at(batch, head) + first * heads.row_stride, count, cols, heads.row_stride, heads.col_stride};
}

// Buffers of one thread, kept between calls.
template <class T>
struct Scratch {
  std::vector<T> scores, cotangents, keys, values;
  std::vector<uint8_t> allowed;

  static Scratch& local(size_t elements) {
    static thread_local Scratch scratch;
    if (scratch.scores.size() < elements) {
      scratch.scores.resize(elements);
      scratch.cotangents.resize(elements);
      scratch.allowed.resize(elements);
    }
    return scratch;
  }
};

// Rows one behind the other: worth a copy where many blocks of queries read them.
template <class T>
MatrixView<const T> dense_copy(const MatrixView<const T>& rows, std::vector<T>& memory) {
  memory.resize(static_cast<size_t>(rows.rows * rows.cols));
  for (int64_t i = 0; i < rows.rows; ++i)
    for (int64_t j = 0; j < rows.cols; ++j)
      memory[static_cast<size_t>(i * rows.cols + j)] = rows.data[i * rows.row_stride + j * rows.col_stride];
  return {memory.data(), rows.rows, rows.cols, rows.cols, 1};
}

// The product of a matrix with gaps: term k of element (i, j) counts only where allowed(i, k). It is the
// chain of matmul without those terms, so that what stands behind a forbidden entry, NaN included, is never
// read.
template <class T>
void matmul_where(MatrixView<const uint8_t> allowed, MatrixView<const T> a, MatrixView<const T> b,
                  MatrixView<T> c, Into into) {
  for (int64_t i = 0; i < c.rows; ++i)
    for (int64_t j = 0; j < c.cols; ++j) {
      T& element = c.data[i * c.row_stride + j * c.col_stride];
      T sum = into == Into::accumulate ? element : T{0};
      for (int64_t k = 0; k < a.cols; ++k) {
        if (!allowed.data[i * allowed.row_stride + k * allowed.col_stride]) continue;
        const T x = a.data[i * a.row_stride + k * a.col_stride],
                y = b.data[k * b.row_stride + j * b.col_stride];
#ifdef __FMA__
        sum = std::fma(x, y, sum);
#else
        sum += x * y;
#endif
      }
      element = sum;
    }
}

// The largest exponent in a row, worked off a vector at a time: only numbers that are not finite have every
// bit of it set.
template <class T>
bool row_is_finite(const T* row, int64_t n, int64_t stride) {
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  constexpr Bits exponent = std::bit_cast<Bits>(std::numeric_limits<T>::infinity());
  Bits largest = 0;
  for (int64_t j = 0; j < n; ++j)
    largest = std::max(largest, std::bit_cast<Bits>(row[j * stride]) & exponent);
  return largest != exponent;
}

template <class T>
bool all_finite(const Heads<const T>& heads, const AttentionSizes& sizes, int64_t rows, int64_t cols) {
  for (int64_t b = 0; b < sizes.batch; ++b)
    for (int64_t h = 0; h < sizes.heads; ++h)
      for (int64_t i = 0; i < rows; ++i) {
        const T* row = heads.at(b, h) + i * heads.row_stride;
        if (!(heads.col_stride == 1 ? row_is_finite(row, cols, 1)
                                    : row_is_finite(row, cols, heads.col_stride)))
          return false;
      }
  return true;
}

// One head of one sample, some query rows at a time.
template <class T>
class HeadPass {
 public:
  HeadPass(const AttentionInputs<T>& in, int64_t batch, int64_t head, bool gaps_are_dangerous)
      : in_(in), b_(batch), h_(head), gaps_are_dangerous_(gaps_are_dangerous) {
    const int64_t keys = std::max<int64_t>(in.sizes.keys, 1);
    rows_ = std::clamp<int64_t>(block_elements / keys, 1, std::max<int64_t>(in.sizes.queries, 1));
    Scratch<T>& scratch = Scratch<T>::local(static_cast<size_t>(rows_ * keys));
    scores_ = scratch.scores.data();
    cotangents_ = scratch.cotangents.data();
    allowed_ = scratch.allowed.data();
    keys_ = rows_of(in.key, batch, head, 0, in.sizes.keys, in.sizes.width);
    values_ = rows_of(in.value, batch, head, 0, in.sizes.keys, in.sizes.value_width);
    if (rows_ < in.sizes.queries) {
      keys_ = dense_copy(keys_, scratch.keys);
      values_ = dense_copy(values_, scratch.values);
    }
  }

  void forward(const Heads<T>& output, T* weights, bool* empty) {
    for_each_block([&] {
      if (weights) scores_ = weights + first_weight();
      score(empty);
      product({scores_, count_, keys(), keys(), 1}, values_,
              rows_of(output, b_, h_, first_, count_, value_width()));
    });
  }

  void backward(const AttentionGradients<T>& g) {
    for_each_block([&] {
      if (!g.weights)
        score(nullptr);
      else if (has_gaps() && gaps_are_dangerous_)
        mark_allowed();
      const MatrixView<const T> weights{g.weights ? g.weights + first_weight() : scores_, count_, keys(),
                                        keys(), 1};
      const MatrixView<T> ds{cotangents_, count_, keys(), keys(), 1};
      const auto dout = rows_of(g.output, b_, h_, first_, count_, value_width());
      const Into into = first_ == 0 ? Into::overwrite : Into::accumulate;
      // value: out = P v            dv += P^T dout, dP = dout v^T
      if (g.value.data) {
        product_transposed(weights, dout, rows_of(g.value, b_, h_, 0, keys(), value_width()), into);
      }
      matmul_serial<T>(dout, values_.transposed(), ds);
      softmax_backward(g, weights.data);
      if (g.bias) std::copy(cotangents_, cotangents_ + count_ * keys(), g.bias + first_weight());
      for (int64_t i = 0; i < count_ * keys(); ++i) cotangents_[i] *= in_.scale;
      // scores: s = scale q k^T     dq = scale ds k, dk += scale ds^T q
      if (g.query.data) product(ds, keys_, rows_of(g.query, b_, h_, first_, count_, in_.sizes.width));
      if (g.key.data)
        product_transposed(ds, query_rows(), rows_of(g.key, b_, h_, 0, keys(), in_.sizes.width), into);
    });
  }

 private:
  int64_t keys() const { return in_.sizes.keys; }
  int64_t value_width() const { return in_.sizes.value_width; }
  int64_t first_weight() const { return ((b_ * in_.sizes.heads + h_) * in_.sizes.queries + first_) * keys(); }
  bool has_gaps() const { return in_.causal || in_.allowed.data || in_.bias.data; }
  MatrixView<const T> query_rows() const {
    return rows_of(in_.query, b_, h_, first_, count_, in_.sizes.width);
  }

  template <class F>
  void for_each_block(F&& body) {
    for (first_ = 0; first_ < in_.sizes.queries; first_ += rows_) {
      count_ = std::min(rows_, in_.sizes.queries - first_);
      body();
    }
  }

  // (rows, keys) x (keys, width)
  void product(MatrixView<const T> a, MatrixView<const T> b, MatrixView<T> c) {
    if (has_gaps() && gaps_are_dangerous_) return matmul_where<T>(allowed_view(), a, b, c, Into::overwrite);
    matmul_serial<T>(a, b, c);
  }

  // (rows, keys)^T x (rows, width)
  void product_transposed(MatrixView<const T> a, MatrixView<const T> b, MatrixView<T> c, Into into) {
    if (has_gaps() && gaps_are_dangerous_)
      return matmul_where<T>(allowed_view().transposed(), a.transposed(), b, c, into);
    matmul_serial<T>(a.transposed(), b, c, into);
  }

  MatrixView<const uint8_t> allowed_view() const { return {allowed_, count_, keys(), keys(), 1}; }

  void mark_allowed() {
    for (int64_t i = 0; i < count_; ++i) {
      const int64_t row = first_ + i;
      uint8_t* const mark = allowed_ + i * keys();
      const int64_t seen = in_.causal ? std::clamp<int64_t>(row + in_.causal_offset + 1, 0, keys()) : keys();
      std::fill(mark, mark + seen, uint8_t{1});
      std::fill(mark + seen, mark + keys(), uint8_t{0});
      if (in_.allowed.data) {
        const bool* const allowed = in_.allowed.at(b_, h_) + row * in_.allowed.row_stride;
        for (int64_t j = 0; j < keys(); ++j)
          mark[j] &= static_cast<uint8_t>(allowed[j * in_.allowed.col_stride]);
      }
      if (in_.bias.data) {
        const T* const bias = in_.bias.at(b_, h_) + row * in_.bias.row_stride;
        for (int64_t j = 0; j < keys(); ++j)
          if (bias[j * in_.bias.col_stride] == -std::numeric_limits<T>::infinity()) mark[j] = 0;
      }
    }
  }

  // The weights of the block's rows, in scores_.
  void score(bool* empty) {
    matmul_serial<T>(query_rows(), keys_.transposed(), {scores_, count_, keys(), keys(), 1});
    for (int64_t i = 0; i < count_ * keys(); ++i) scores_[i] *= in_.scale;
    if (has_gaps()) {
      mark_allowed();
      for (int64_t i = 0; i < count_; ++i) {
        T* const row = scores_ + i * keys();
        if (in_.bias.data) {
          const T* const bias = in_.bias.at(b_, h_) + (first_ + i) * in_.bias.row_stride;
          for (int64_t j = 0; j < keys(); ++j) row[j] += bias[j * in_.bias.col_stride];
        }
        for (int64_t j = 0; j < keys(); ++j)
          row[j] = allowed_[i * keys() + j] ? row[j] : -std::numeric_limits<T>::infinity();
      }
    }
    for (int64_t i = 0; i < count_; ++i) {
      const bool found = softmax_row(scores_ + i * keys(), keys());
      if (empty) empty[(b_ * in_.sizes.heads + h_) * in_.sizes.queries + first_ + i] = !found;
    }
  }

  // In cotangents_: dP becomes ds = P (dP - sum_j P_j dP_j), row by row.
  void softmax_backward(const AttentionGradients<T>& g, const T* weights) {
    if (g.weights_cotangent)
      for (int64_t i = 0; i < count_ * keys(); ++i) cotangents_[i] += g.weights_cotangent[first_weight() + i];
    if (has_gaps() && gaps_are_dangerous_)
      for (int64_t i = 0; i < count_ * keys(); ++i) cotangents_[i] = allowed_[i] ? cotangents_[i] : T{0};
    softmax_vjp(weights, cotangents_, cotangents_, count_, keys());
  }

  const AttentionInputs<T>& in_;
  const int64_t b_, h_;
  const bool gaps_are_dangerous_;
  MatrixView<const T> keys_, values_;
  int64_t rows_, first_ = 0, count_ = 0;
  T* scores_;
  T* cotangents_;
  uint8_t* allowed_;
};

template <class T>
bool inputs_are_finite(const AttentionInputs<T>& in) {
  return all_finite(in.query, in.sizes, in.sizes.queries, in.sizes.width) &&
         all_finite(in.key, in.sizes, in.sizes.keys, in.sizes.width) &&
         all_finite(in.value, in.sizes, in.sizes.keys, in.sizes.value_width);
}

template <class T>
bool cotangents_are_finite(const AttentionInputs<T>& in, const AttentionGradients<T>& g) {
  const AttentionSizes& s = in.sizes;
  const int64_t matrix = s.queries * s.keys;
  const Heads<const T> weights{g.weights_cotangent, s.heads * matrix, matrix, s.keys, 1};
  return all_finite(g.output, s, s.queries, s.value_width) &&
         (!g.weights_cotangent || all_finite(weights, s, s.queries, s.keys));
}

template <class T, class F>
void for_each_head(const AttentionInputs<T>& in, bool gaps_are_dangerous, F&& body) {
  const AttentionSizes& s = in.sizes;
  const int64_t scores = std::max<int64_t>(s.queries * s.keys, 1);
  parallel_for(s.batch * s.heads, std::max<int64_t>(head_grain / scores, 1), [&](int64_t begin, int64_t end) {
    const FlushSubnormals flush;
    for (int64_t item = begin; item < end; ++item) {
      HeadPass<T> pass(in, item / s.heads, item % s.heads, gaps_are_dangerous);
      body(pass);
    }
  });
}

template <class T>
bool has_gaps(const AttentionInputs<T>& in) {
  return in.causal || in.allowed.data || in.bias.data;
}

}  // namespace

template <class T>
void attention(const AttentionInputs<T>& in, Heads<T> output, T* weights, bool* empty) {
  const bool dangerous = has_gaps(in) && !inputs_are_finite(in);
  for_each_head(in, dangerous, [&](HeadPass<T>& pass) { pass.forward(output, weights, empty); });
}

template <class T>
void attention_vjp(const AttentionInputs<T>& in, const AttentionGradients<T>& g) {
  const bool dangerous = has_gaps(in) && !(inputs_are_finite(in) && cotangents_are_finite(in, g));
  for_each_head(in, dangerous, [&](HeadPass<T>& pass) { pass.backward(g); });
}

#define HEADWISE_INSTANTIATE(T)                                            \
  template void attention(const AttentionInputs<T>&, Heads<T>, T*, bool*); \
  template void attention_vjp(const AttentionInputs<T>&, const AttentionGradients<T>&);
HEADWISE_INSTANTIATE(float)
HEADWISE_INSTANTIATE(double)
#undef HEADWISE_INSTANTIATE

}  // namespace headwise::kernels
