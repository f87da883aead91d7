// Are the gradients of a module right? Its parameters are checked by name, beside the inputs.
#pragma once

#include "headwise/autograd/gradcheck.h"
#include "headwise/layers/module.h"

namespace headwise {

/// Checks the gradients of f(inputs), which calls `module`, by every parameter of the module and every input.
/// The report lists parameters under their full names, "attention.W_Q", then inputs under options.names.
///
/// The module is left bit for bit as it was, also when f throws: handles, values, gradients, training flags
/// and generators. Meanwhile it holds copies of its parameters, and no other thread may use it. Error when a
/// parameter is not f64.
GradcheckReport gradcheck(const TensorFunction& f, Module& module, const std::vector<Tensor>& inputs,
                          const GradcheckOptions& options = {});

/// The same for second derivatives, with a cotangent listed last.
GradcheckReport gradgradcheck(const TensorFunction& f, Module& module, const std::vector<Tensor>& inputs,
                              const GradcheckOptions& options = {});

}  // namespace headwise
