// Sums of products, written with a letter for each axis.
#pragma once

#include <string_view>

#include "headwise/autograd/tensor.h"

namespace headwise {

/// Einstein summation of one or two operands: einsum("bhqd,bhkd->bhqk", q, k) is q k^T, head by head.
///
/// A letter names an axis; axes of one letter run together, and letters that the result lacks are summed
/// over. Without an arrow the result has the letters that occur once, in alphabetical order, capitals first.
/// "..." stands for the axes that are not named, aligned at their ends; they come first in a result without
/// an arrow and are summed over when the result leaves "..." out. Sizes of one letter are equal, or 1, which
/// broadcasts. Spaces mean nothing.
///
/// Two operands become one batched matmul of permuted views (copied only where several letters of one kind do
/// not lie evenly in memory), or an elementwise product when nothing is summed over both; f32 and f64. One
/// operand is permuted and summed; of any dtype that sum takes. The result may be a view, of strides that
/// need not be row-major. Error, naming the spec, the letter and the sizes, for a letter that one term holds
/// twice (diagonals are not taken), an unknown letter in the result, a wrong number of letters or sizes that
/// clash.
Tensor einsum(std::string_view spec, const Tensor& x);
Tensor einsum(std::string_view spec, const Tensor& a, const Tensor& b);

/// a (M) and b (N) -> a_i b_j of shape (M, N).
Tensor outer(const Tensor& a, const Tensor& b);

}  // namespace headwise
