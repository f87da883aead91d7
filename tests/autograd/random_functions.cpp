#include "tests/autograd/random_functions.h"

namespace headwise::testing {
namespace {

// Draws for one function.
class Draws {
 public:
  explicit Draws(uint64_t seed) : rng_(seed, 23) {}

  int64_t below(int64_t bound) { return rng_.below(bound); }
  int64_t between(int64_t low, int64_t high) { return low + below(high - low + 1); }
  bool chance(double p) { return rng_.uniform() < p; }
  uint64_t seed() { return rng_.bits(); }
  template <class T>
  T one_of(std::initializer_list<T> items) {
    return items.begin()[below(static_cast<int64_t>(items.size()))];
  }

  // At most 24 elements; sizes of 1 are frequent, and now and then an axis is empty.
  Shape shape(int least_rank = 0, int most_rank = 4, bool may_be_empty = true) {
    Shape result;
    const int64_t rank = between(least_rank, most_rank);
    for (int64_t axis = 0; axis < rank; ++axis) {
      const int64_t most = std::min<int64_t>(4, 24 / std::max<int64_t>(1, result.numel()));
      result.append(may_be_empty && chance(0.04) ? 0 : between(1, std::max<int64_t>(1, most)));
    }
    return result;
  }
  Shape full(int least_rank = 0, int most_rank = 4) { return shape(least_rank, most_rank, false); }
  int axis(const Shape& shape) {
    return static_cast<int>(below(shape.rank())) - (chance(0.5) ? shape.rank() : 0);
  }
  // A shape that broadcasts with `other`: leading axes dropped, some of the rest of size 1.
  Shape partner(const Shape& other) {
    Shape result;
    for (int axis = static_cast<int>(below(other.rank() + 1)); axis < other.rank(); ++axis)
      result.append(chance(0.3) ? 1 : other[axis]);
    return result;
  }

  Tensor normal(const Shape& shape) { return testing::normal(shape, seed()); }
  Tensor positive(const Shape& shape) { return testing::positive(shape, seed()); }
  Tensor distinct(const Shape& shape) { return testing::distinct(shape, seed()); }
  Tensor mask(const Shape& shape) { return normal(shape) > 0.3; }
  Tensor indices(const Shape& shape, int64_t bound) {
    Tensor result = empty(shape, i64);
    for (int64_t& index : result.mutable_values<int64_t>()) index = below(bound);
    return result;
  }

 private:
  Rng rng_;
};

// As `shape`, with another size along one axis.
Shape with_size(Shape shape, int axis, int64_t size) {
  shape[axis < 0 ? axis + shape.rank() : axis] = size;
  return shape;
}

using Unary = Tensor (*)(const Tensor&);

RandomFunction smooth(Draws& draw) {
  const auto f = draw.one_of<Unary>({exp, sin, cos, tanh, erf, square, sigmoid, silu, softplus, logsigmoid,
                                     [](const Tensor& x) { return gelu(x); },
                                     [](const Tensor& x) { return gelu(x, Gelu::tanh); }});
  const double scale = draw.one_of({0.5, 1.0, 3.0});
  return {"smooth", [=](const Args& x) { return f(x[0] * scale); }, {draw.normal(draw.shape())}};
}

RandomFunction of_positive(Draws& draw) {
  const auto f = draw.one_of<Unary>({log, sqrt, [](const Tensor& x) { return pow(x, -1.5); },
                                     [](const Tensor& x) { return 1.0 / x; },
                                     [](const Tensor& x) { return pow(2.0, x); }});
  return {"of positive", [=](const Args& x) { return f(x[0]); }, {draw.positive(draw.shape())}};
}

RandomFunction kinked(Draws& draw) {
  const auto f = draw.one_of<Unary>({abs, relu, [](const Tensor& x) { return clamp(x, -0.2, 0.3); },
                                     [](const Tensor& x) { return maximum(x, 0.1); }});
  return {"kinked", [=](const Args& x) { return f(x[0]) * x[0]; }, {draw.distinct(draw.shape())}};
}

RandomFunction arithmetic(Draws& draw) {
  const Shape shape = draw.shape();
  const Tensor a = draw.normal(shape), b = draw.positive(draw.partner(shape));
  using Binary = Tensor (*)(const Tensor&, const Tensor&);
  const auto f = draw.one_of<Binary>({[](const Tensor& x, const Tensor& y) { return x + y; },
                                      [](const Tensor& x, const Tensor& y) { return x - y; },
                                      [](const Tensor& x, const Tensor& y) { return x * y; },
                                      [](const Tensor& x, const Tensor& y) { return x / y; },
                                      [](const Tensor& x, const Tensor& y) { return pow(y, x); }});
  if (draw.chance(0.5)) return {"arithmetic", [=](const Args& x) { return f(x[0], x[1]); }, {a, b}};
  return {"arithmetic, swapped", [=](const Args& x) { return f(x[1] * x[1], x[0]); }, {b, a * a + 0.5}};
}

RandomFunction choices(Draws& draw) {
  const Shape shape = draw.shape();
  const Tensor a = draw.distinct(shape), b = draw.distinct(draw.partner(shape)) + 0.03;
  const Tensor mask = draw.mask(draw.partner(shape));
  switch (draw.below(4)) {
    case 0:
      return {"maximum", [](const Args& x) { return maximum(x[0], x[1]); }, {a, b}};
    case 1:
      return {"minimum", [](const Args& x) { return minimum(x[0], x[1]); }, {a, b}};
    case 2:
      return {"where", [=](const Args& x) { return where(mask, x[0] * x[0], x[1]); }, {a, b}};
    default:
      return {"masked_fill", [=](const Args& x) { return masked_fill(x[0], mask, 2.5) * x[0]; }, {a}};
  }
}

RandomFunction reduction(Draws& draw) {
  const Shape shape = draw.shape(1), full = draw.full(1);
  const bool keep = draw.chance(0.5);
  const int axis = draw.axis(shape), other = draw.axis(full);
  switch (draw.below(6)) {
    case 0:
      return {"sum", [=](const Args& x) { return sum(x[0] * x[0], {axis}, keep); }, {draw.normal(shape)}};
    case 1:
      return {"sum, compensated",
              [](const Args& x) { return sum(x[0], {.compensated = true}); },
              {draw.normal(shape)}};
    case 2:
      return {"mean", [=](const Args& x) { return mean(exp(x[0]), {other}, keep); }, {draw.normal(full)}};
    case 3:
      return {"prod", [=](const Args& x) { return prod(x[0], {axis}, keep); }, {draw.normal(shape)}};
    case 4:
      return {"cumsum",
              [=](const Args& x) { return cumsum(x[0], axis, {.reverse = keep}) * x[0]; },
              {draw.normal(shape)}};
    default:
      return {"norm", [=](const Args& x) { return norm(x[0], {other}, keep); }, {draw.normal(full)}};
  }
}

RandomFunction spread(Draws& draw) {
  const Shape shape = with_size(draw.full(1, 3), 0, draw.between(3, 4));
  const bool keep = draw.chance(0.5);
  const double p = draw.one_of({1.0, 2.0, 3.0, 1.5, static_cast<double>(INFINITY)});
  switch (draw.below(3)) {
    case 0:
      return {"var", [=](const Args& x) { return var(x[0], {0}, keep); }, {draw.normal(shape)}};
    case 1:
      return {"stddev", [=](const Args& x) { return stddev(x[0], {0}, keep); }, {draw.normal(shape)}};
    default:
      return {fmt::format("norm, p = {}", p),
              [=](const Args& x) { return norm(x[0], {0}, {.p = p}); },
              {draw.distinct(shape) + 0.017}};
  }
}

RandomFunction order(Draws& draw) {
  const Shape shape = draw.full(1);
  const int axis = draw.axis(shape);
  const bool flag = draw.chance(0.5);
  const int64_t size = shape[axis < 0 ? axis + shape.rank() : axis], k = draw.between(0, size);
  const Args inputs{draw.distinct(shape)};
  switch (draw.below(5)) {
    case 0:
      return {"amax", [=](const Args& x) { return amax(x[0], {axis}, flag); }, inputs};
    case 1:
      return {"min", [=](const Args& x) { return square(min(x[0], axis, flag).values); }, inputs};
    case 2:
      return {"sort", [=](const Args& x) { return sort(x[0], axis, {.descending = flag}).values * x[0]; },
              inputs};
    case 3:
      return {"topk", [=](const Args& x) { return square(topk(x[0], k, axis, {.largest = flag}).values); },
              inputs};
    default:
      return {"amin of all", [](const Args& x) { return amin(x[0]) * x[0]; }, inputs};
  }
}

RandomFunction softmaxes(Draws& draw) {
  const Shape shape = draw.full(1);
  const int axis = draw.axis(shape);
  const double scale = draw.one_of({1.0, 5.0});
  const Args inputs{draw.normal(shape)};
  switch (draw.below(3)) {
    case 0:
      return {"softmax", [=](const Args& x) { return softmax(x[0] * scale, axis); }, inputs};
    case 1:
      return {"log_softmax", [=](const Args& x) { return log_softmax(x[0] * scale, axis); }, inputs};
    default:
      return {"logsumexp", [=](const Args& x) { return logsumexp(x[0] * scale, axis); }, inputs};
  }
}

RandomFunction products(Draws& draw) {
  const int64_t m = draw.between(1, 3), k = draw.between(0, 3), n = draw.between(1, 3);
  const int64_t batch = draw.between(1, 2);
  const Tensor a = draw.normal({batch, m, k}), b = draw.normal({draw.chance(0.5) ? 1 : batch, k, n});
  switch (draw.below(5)) {
    case 0:
      return {"matmul", [](const Args& x) { return matmul(x[0], x[1]); }, {a, b}};
    case 1:
      return {"matmul, transposed",
              [](const Args& x) { return matmul(x[0].transpose(1, 2), x[1]); },
              {draw.normal({batch, k, m}), b}};
    case 2:
      return {"linear",
              [](const Args& x) { return linear(x[0], x[1], x[2]); },
              {a, draw.normal({n, k}), draw.normal({n})}};
    case 3:
      return {"einsum", [](const Args& x) { return einsum("bmk,bkn->nb", x[0], x[1]); }, {a, b}};
    default:
      return {"einsum, one operand", [](const Args& x) { return square(einsum("bmk->kb", x[0])); }, {a}};
  }
}

RandomFunction losses(Draws& draw) {
  const Shape shape = draw.shape(2, 2);
  const Reduction reduction = draw.one_of({Reduction::mean, Reduction::sum, Reduction::none});
  const Tensor a = draw.normal(shape), b = draw.normal(shape);
  switch (draw.below(5)) {
    case 0:
      return {"mse_loss", [=](const Args& x) { return mse_loss(x[0], x[1], reduction); }, {a, b}};
    case 1:
      return {"l1_loss",
              [=](const Args& x) { return l1_loss(x[0] * x[0] + 0.1, x[1], reduction); },
              {a, -draw.positive(shape)}};
    case 2:
      return {"huber_loss",
              [=](const Args& x) { return huber_loss(x[0], x[1], {.delta = 0.5, .reduction = reduction}); },
              {draw.distinct(shape), zeros(shape, f64) + 0.01}};
    case 3:
      return {"bce_with_logits",
              [=](const Args& x) { return bce_with_logits(x[0], x[1], {.reduction = reduction}); },
              {a, sigmoid(b)}};
    default:
      return {"kl_div",
              [=](const Args& x) { return kl_div(x[0], x[1], {.reduction = reduction}); },
              {a, draw.positive(shape)}};
  }
}

RandomFunction classes(Draws& draw) {
  const int64_t rows = draw.between(1, 4), count = draw.between(2, 5);
  const Tensor targets = draw.indices({rows}, count);
  CrossEntropyOptions options{.label_smoothing = draw.one_of({0.0, 0.2})};
  if (draw.chance(0.5)) options.class_weights = draw.positive({count});
  if (draw.chance(0.3)) options.ignore_index = 0;
  options.reduction = draw.one_of({Reduction::mean, Reduction::sum, Reduction::none});
  return {"cross_entropy",
          [=](const Args& x) { return cross_entropy(x[0], targets, options).loss; },
          {draw.normal({rows, count})}};
}

RandomFunction normalised(Draws& draw) {
  const Shape shape = with_size(draw.full(1, 3), -1, draw.between(3, 5));
  const Shape width{shape.back()};
  if (draw.chance(0.3))
    return {"layer_norm", [](const Args& x) { return layer_norm(x[0], {}, {}); }, {draw.normal(shape)}};
  return {"layer_norm with gain and offset",
          [](const Args& x) { return layer_norm(x[0], x[1], x[2]); },
          {draw.normal(shape), draw.normal(width), draw.normal(width)}};
}

RandomFunction attention(Draws& draw) {
  const int64_t heads = draw.between(1, 2), queries = draw.between(1, 3), keys = draw.between(1, 3);
  const int64_t width = draw.between(1, 2);
  AttentionOptions options{.weights = draw.chance(0.5)};
  if (draw.chance(0.3)) options.allowed = draw.mask({queries, keys});
  options.causal = draw.one_of({Causal::none, Causal::top_left, Causal::bottom_right});
  Args inputs{draw.normal({1, heads, queries, width}), draw.normal({1, heads, keys, width}),
              draw.normal({1, heads, keys, width})};
  const bool biased = draw.chance(0.3);
  if (biased) inputs.push_back(draw.normal({queries, keys}));
  return {"attention",
          [=](const Args& x) {
            AttentionOptions chosen = options;
            if (biased) chosen.bias = x[3];
            const Attention result = scaled_dot_product_attention(x[0], x[1], x[2], chosen);
            return chosen.weights ? sum(result.weights) * result.output : result.output;
          },
          inputs};
}

RandomFunction views(Draws& draw) {
  const Shape shape = draw.shape(2, 3);
  const int axis = draw.axis(shape), other = draw.axis(shape);
  const int64_t start = draw.between(0, 2), stop = draw.between(0, 4);
  const Tensor x0 = draw.normal(shape);
  switch (draw.below(5)) {
    case 0:
      return {"transpose", [=](const Args& x) { return square(x[0].transpose(axis, other)); }, {x0}};
    case 1:
      return {"slice", [=](const Args& x) { return square(x[0].slice(axis, start, stop)); }, {x0}};
    case 2:
      return {"flip and roll",
              [=](const Args& x) { return flip(x[0], {axis}) * roll(x[0], {2}, {other}); },
              {x0}};
    case 3:
      return {"cat",
              [=](const Args& x) {
                return cat({x[0], x[1] * x[1], x[0]}, axis);
              },
              {x0, draw.normal(with_size(shape, axis, draw.between(0, 2)))}};
    default:
      return {"tril and triu", [=](const Args& x) { return tril(x[0]) * triu(x[0], -1); }, {x0}};
  }
}

RandomFunction lookups(Draws& draw) {
  const Shape shape = draw.full(1, 3);
  const int axis = draw.axis(shape);
  const int64_t size = shape[axis < 0 ? axis + shape.rank() : axis];
  const Tensor index = draw.indices(with_size(shape, axis, draw.between(0, 3)), size);
  const Tensor list = draw.indices({draw.between(0, 3)}, size);
  switch (draw.below(3)) {
    case 0:
      return {
          "gather", [=](const Args& x) { return square(gather(x[0], axis, index)); }, {draw.normal(shape)}};
    case 1:
      return {"scatter_add",
              [=](const Args& x) { return square(scatter_add(x[0], axis, index, shape)); },
              {draw.normal(index.shape())}};
    default:
      return {"index_select",
              [=](const Args& x) { return square(index_select(x[0], axis, list)); },
              {draw.normal(shape)}};
  }
}

RandomFunction composed(Draws& draw) {
  const int64_t rows = draw.between(1, 3), width = draw.between(2, 3);
  const Rng masks(draw.seed());
  return {"a layer behind dropout",
          [=](const Args& x) {
            Rng rng = masks;
            const Tensor hidden = dropout(tanh(linear(x[0], x[1], x[2])), 0.3, rng);
            return layer_norm(x[0] + hidden, {}, {}, 0.1);
          },
          {draw.normal({rows, width}), draw.normal({width, width}), draw.normal({width})}};
}

}  // namespace

RandomFunction random_function(uint64_t seed) {
  constexpr RandomFunction (*families[])(Draws&) = {
      smooth,   of_positive, kinked,     arithmetic, choices, reduction, spread,  order,   softmaxes,
      products, losses,      normalised, attention,  classes, views,     lookups, composed};
  Draws draw(seed);
  return families[seed % std::size(families)](draw);
}

}  // namespace headwise::testing
