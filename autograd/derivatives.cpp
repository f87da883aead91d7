#include "headwise/autograd/derivatives.h"

#include "headwise/autograd/backward.h"
#include "headwise/autograd/grad_mode.h"
#include "headwise/autograd/ops/arrange.h"
#include "headwise/autograd/ops/creation.h"
#include "headwise/autograd/ops/views.h"

namespace headwise {
namespace {

// The inputs as places of their own in the graph, and f there. Recording is on while it lives.
class Point {
 public:
  Point(const char* op, const TensorFunction& f, const std::vector<Tensor>& inputs,
        const DerivativeOptions& options)
      : op_(op), create_graph_(options.create_graph) {
    require(bool(f), "{}: f is an empty function", op);
    for (size_t i = 0; i < inputs.size(); ++i) {
      require(inputs[i].defined(), "{}: input {} is undefined", op, i);
      inputs_.push_back(stand_in(inputs[i]));
    }
    output = f(inputs_);
    require(output.defined() && is_floating(output.dtype()), "{}: f must give a tensor of f32 or f64, got {}",
            op, output.defined() ? name_of(output.dtype()) : "an undefined one");
  }

  size_t count() const { return inputs_.size(); }
  const Tensor& input(size_t i) const { return inputs_[i]; }
  bool differentiated(size_t i) const { return is_floating(inputs_[i].dtype()); }

  Tensor zeros_like(size_t i) const { return zeros(inputs_[i].shape(), inputs_[i].dtype()); }

  // The gradients of sum_k <cotangents_k, outputs_k>, those that do not depend on the inputs left out.
  std::vector<Tensor> gradients(const std::vector<Tensor>& outputs, const std::vector<Tensor>& cotangents,
                                bool create_graph) const {
    std::vector<Tensor> reached, weights, wanted, result(count());
    for (size_t k = 0; k < outputs.size(); ++k) {
      if (!outputs[k].defined() || !outputs[k].requires_grad() || !cotangents[k].defined()) continue;
      reached.push_back(outputs[k]);
      weights.push_back(cotangents[k]);
    }
    for (size_t i = 0; i < count(); ++i)
      if (differentiated(i)) wanted.push_back(inputs_[i]);
    std::vector<Tensor> found(wanted.size());
    if (!reached.empty())
      found = grad(reached, wanted, weights,
                   {.retain_graph = true, .create_graph = create_graph, .allow_unused = true});
    for (size_t i = 0, k = 0; i < count(); ++i) {
      if (!differentiated(i)) continue;
      result[i] = found[k].defined() ? std::move(found[k]) : zeros_like(i);
      ++k;
    }
    return result;
  }
  std::vector<Tensor> gradients(const Tensor& cotangent, bool create_graph) const {
    return gradients({output}, {cotangent}, create_graph);
  }

  // The gradient of the one element of f, recorded.
  std::vector<Tensor> slope() const {
    require(output.numel() == 1, "{}: f must give one element, got shape {}; reduce it with sum or mean", op_,
            output.shape());
    return gradients(ones(output.shape(), output.dtype()), true);
  }

  // The derivatives of each element of `y` by each of the inputs.
  std::vector<Tensor> rows(const Tensor& y) const {
    std::vector<std::vector<Tensor>> by_input(count());
    for (int64_t element = 0; element < y.numel(); ++element) {
      const Tensor cotangent = one_hot_like(y, element);
      std::vector<Tensor> row = gradients({y}, {cotangent}, create_graph_);
      for (size_t i = 0; i < count(); ++i) by_input[i].push_back(std::move(row[i]));
    }
    std::vector<Tensor> result(count());
    for (size_t i = 0; i < count(); ++i) {
      if (!differentiated(i)) continue;
      const Shape shape = joined(y.shape(), inputs_[i].shape());
      result[i] =
          by_input[i].empty() ? zeros(shape, inputs_[i].dtype()) : stack(by_input[i], 0).reshape(shape);
    }
    return result;
  }

  Tensor output;

 private:
  Tensor stand_in(const Tensor& x) const {
    if (!is_floating(x.dtype())) return x;
    if (create_graph_ && x.requires_grad()) return identity(x);
    return x.detach().set_requires_grad(true);
  }

  static Tensor one_hot_like(const Tensor& y, int64_t element) {
    Tensor result = zeros(y.shape(), y.dtype());
    result.view({y.numel()}).slice(0, element, element + 1).fill(1);
    return result;
  }

  Shape joined(const Shape& outer, const Shape& inner) const {
    require(outer.rank() + inner.rank() <= max_rank,
            "{}: derivatives of shape {} by shape {} have {} axes, more than {}; flatten both with reshape",
            op_, outer, inner, outer.rank() + inner.rank(), max_rank);
    Shape shape = outer;
    for (const int64_t size : inner) shape.append(size);
    return shape;
  }

  const char* op_;
  bool create_graph_;
  GradMode recording_{true};
  std::vector<Tensor> inputs_;
};

TensorFunction of_list(const UnaryTensorFunction& f) {
  return [&f](const std::vector<Tensor>& inputs) { return f(inputs[0]); };
}

void require_arguments(const char* op, const UnaryTensorFunction& f, const Tensor& x) {
  require(bool(f), "{}: f is an empty function", op);
  require(x.defined(), "{}: the input is undefined", op);
  require_floating(op, x);
}

}  // namespace

std::vector<Tensor> vjp(const TensorFunction& f, const std::vector<Tensor>& inputs, const Tensor& cotangent,
                        const DerivativeOptions& options) {
  const Point point("vjp", f, inputs, options);
  require(cotangent.defined() && cotangent.shape() == point.output.shape(),
          "vjp: an output of shape {} was given {}", point.output.shape(),
          cotangent.defined() ? fmt::format("a cotangent of shape {}", cotangent.shape())
                              : "an undefined cotangent");
  require(cotangent.dtype() == point.output.dtype(),
          "vjp: an output of {} was given a cotangent of {}; convert it with to({})",
          name_of(point.output.dtype()), name_of(cotangent.dtype()), name_of(point.output.dtype()));
  return point.gradients(cotangent, options.create_graph);
}

std::vector<Tensor> jacobian(const TensorFunction& f, const std::vector<Tensor>& inputs,
                             const DerivativeOptions& options) {
  const Point point("jacobian", f, inputs, options);
  return point.rows(point.output);
}

std::vector<std::vector<Tensor>> hessian(const TensorFunction& f, const std::vector<Tensor>& inputs,
                                         const DerivativeOptions& options) {
  const Point point("hessian", f, inputs, options);
  std::vector<std::vector<Tensor>> blocks;
  for (const Tensor& slope : point.slope())
    blocks.push_back(slope.defined() ? point.rows(slope) : std::vector<Tensor>(inputs.size()));
  return blocks;
}

std::vector<Tensor> hvp(const TensorFunction& f, const std::vector<Tensor>& inputs,
                        const std::vector<Tensor>& vectors, const DerivativeOptions& options) {
  require(vectors.size() == inputs.size(), "hvp: {} inputs were given {} vectors", inputs.size(),
          vectors.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!vectors[i].defined() || !inputs[i].defined()) continue;
    require(vectors[i].shape() == inputs[i].shape(),
            "hvp: input {} of shape {} was given a vector of shape {}", i, inputs[i].shape(),
            vectors[i].shape());
    require(!is_floating(inputs[i].dtype()) || vectors[i].dtype() == inputs[i].dtype(),
            "hvp: input {} of {} was given a vector of {}; convert it with to({})", i,
            name_of(inputs[i].dtype()), name_of(vectors[i].dtype()), name_of(inputs[i].dtype()));
  }
  const Point point("hvp", f, inputs, options);
  return point.gradients(point.slope(), vectors, options.create_graph);
}

Tensor vjp(const UnaryTensorFunction& f, const Tensor& x, const Tensor& cotangent,
           const DerivativeOptions& options) {
  require_arguments("vjp", f, x);
  return vjp(of_list(f), {x}, cotangent, options)[0];
}

Tensor jacobian(const UnaryTensorFunction& f, const Tensor& x, const DerivativeOptions& options) {
  require_arguments("jacobian", f, x);
  return jacobian(of_list(f), {x}, options)[0];
}

Tensor hessian(const UnaryTensorFunction& f, const Tensor& x, const DerivativeOptions& options) {
  require_arguments("hessian", f, x);
  return hessian(of_list(f), {x}, options)[0][0];
}

Tensor hvp(const UnaryTensorFunction& f, const Tensor& x, const Tensor& v, const DerivativeOptions& options) {
  require_arguments("hvp", f, x);
  require(v.defined(), "hvp: the vector is undefined");
  return hvp(of_list(f), {x}, {v}, options)[0];
}

}  // namespace headwise
