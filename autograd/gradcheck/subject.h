// What is checked: a function at a point, with copies of the inputs, so that the caller's stay as they are.
#pragma once

#include <string>
#include <vector>

#include "headwise/autograd/gradcheck.h"

namespace headwise::checking {

class Subject {
 public:
  /// Inputs beyond the names given are "input 3" and so on.
  Subject(const TensorFunction& f, const std::vector<Tensor>& inputs, std::vector<std::string> names);

  const std::vector<Tensor>& inputs() const { return inputs_; }
  const std::vector<std::string>& names() const { return names_; }

  /// f at `at`, contiguous and outside the graph. Error when f changed one of them in place.
  Tensor value(const std::vector<Tensor>& at) const;
  /// f with one input moved; Error when that changes the shape of the output.
  Tensor value_with(size_t input, Tensor moved, const Shape& shape) const;

  enum class Layout { dense, spread };
  /// f recorded, ready for backward passes.
  class Recorded;
  Recorded record(Layout layout = Layout::dense) const;

 private:
  const TensorFunction& f_;
  std::vector<Tensor> inputs_;
  std::vector<std::string> names_;
};

class Subject::Recorded {
 public:
  /// The gradients of <cotangent, f> by the inputs at these positions, contiguous; undefined where backward
  /// delivered none.
  std::vector<Tensor> gradients(const std::vector<size_t>& inputs, const Tensor& cotangent) const;

 private:
  friend class Subject;
  std::vector<Tensor> leaves_;
  Tensor output_;
};

/// Error when what f gave cannot be checked.
void require_output(const char* op, const Tensor& output);

/// The same values in a layout that is not contiguous, where there are two axes to turn.
Tensor spread(const Tensor& x);

/// Draws from N(0, 1) by the name of a purpose.
Tensor draw(uint64_t seed, const char* purpose, uint64_t index, const Shape& shape);

}  // namespace headwise::checking
