// Tensors as Eigen sees them. The maps are unaligned, so that code compiled for another instruction set than
// the library's lays them out alike.
#pragma once

#include <Eigen/Core>

#include "headwise/autograd/tensor.h"

namespace headwise {

template <class T>
using EigenMatrix = Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>,
                               Eigen::Unaligned, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;

/// A view of a tensor of two axes, strides and all; valid while the tensor lives. To write through it, call
/// begin_write on the tensor first. Error unless T is the element type and the rank is 2.
template <class T>
EigenMatrix<T> eigen_view(const Tensor& x) {
  require(x.dtype() == dtype_of<std::remove_const_t<T>> && x.rank() == 2,
          "eigen_view: expected two axes of {}, got shape {} of {}", dtype_of<std::remove_const_t<T>>,
          x.shape(), x.dtype());
  return EigenMatrix<T>(x.pointer<T>(), x.size(0), x.size(1), {x.strides()[0], x.strides()[1]});
}

}  // namespace headwise
