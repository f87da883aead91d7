// Derivatives of functions of tensors: vjp, jacobian, hessian and hvp (the product of Hessian and vector).
//
// Each comes in two forms: for a function of one tensor, and for a function of several, which gives a result
// per input. Inputs of f32 and f64 are differentiated; those of other dtypes (indices, masks) are passed on
// as they are and have an undefined result. Where the output does not depend on an input the result is zeros.
//
// f is called with stand-ins that share the inputs' memory, so no grad() is touched. With create_graph the
// results are part of the graph, of inputs that require a gradient and of whatever else f reads: derivatives
// of any order by nesting. Errors name the function and the shapes.
#pragma once

#include <functional>
#include <vector>

#include "headwise/autograd/tensor.h"

namespace headwise {

using TensorFunction = std::function<Tensor(const std::vector<Tensor>&)>;
using UnaryTensorFunction = std::function<Tensor(const Tensor&)>;

struct DerivativeOptions {
  /// Record the derivative itself, so that it can be differentiated.
  bool create_graph = false;
};

/// The gradient of <cotangent, f(x)>, in x's shape; the cotangent has the shape of f(x).
Tensor vjp(const UnaryTensorFunction& f, const Tensor& x, const Tensor& cotangent,
           const DerivativeOptions& options = {});
std::vector<Tensor> vjp(const TensorFunction& f, const std::vector<Tensor>& inputs, const Tensor& cotangent,
                        const DerivativeOptions& options = {});

/// The derivative of every element of f(x) by every element of x: f(x).shape + x.shape, from one backward
/// pass per element of f(x).
Tensor jacobian(const UnaryTensorFunction& f, const Tensor& x, const DerivativeOptions& options = {});
std::vector<Tensor> jacobian(const TensorFunction& f, const std::vector<Tensor>& inputs,
                             const DerivativeOptions& options = {});

/// The second derivatives of f, which gives one element: x.shape + x.shape.
Tensor hessian(const UnaryTensorFunction& f, const Tensor& x, const DerivativeOptions& options = {});
/// Block [i][j] has the derivatives by inputs i and j: inputs[i].shape + inputs[j].shape.
std::vector<std::vector<Tensor>> hessian(const TensorFunction& f, const std::vector<Tensor>& inputs,
                                         const DerivativeOptions& options = {});

/// The Hessian of f times v, of x's shape, without the Hessian: two backward passes.
Tensor hvp(const UnaryTensorFunction& f, const Tensor& x, const Tensor& v,
           const DerivativeOptions& options = {});
/// Of the whole Hessian: result i is the sum over j of block [i][j] times vectors[j]. A vector may be
/// undefined, which stands for zeros.
std::vector<Tensor> hvp(const TensorFunction& f, const std::vector<Tensor>& inputs,
                        const std::vector<Tensor>& vectors, const DerivativeOptions& options = {});

}  // namespace headwise
