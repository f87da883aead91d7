// Normalisation.
#pragma once

#include "headwise/autograd/tensor.h"

namespace headwise {

/// (x - mean) / sqrt(variance + epsilon) * weight + bias over the last axis (Ba, Kiros and Hinton 2016), with
/// the variance of the whole population. weight and bias: the size of the last axis, or undefined.
/// With an epsilon of 0 a row of equal terms is 0 / 0, and NaN.
Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, double epsilon = 1e-5);

/// The same written in plain ops.
Tensor layer_norm_reference(const Tensor& x, const Tensor& weight, const Tensor& bias, double epsilon = 1e-5);

}  // namespace headwise
