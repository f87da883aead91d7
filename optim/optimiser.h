// What all optimisers share: the parameters they move and the learning rate.
#pragma once

#include "headwise/autograd/named_tensor.h"

namespace headwise {

/// Holds parameters by name; they must be leaves that require a gradient, contiguous, each listed once.
class Optimiser {
 public:
  virtual ~Optimiser() = default;

  /// Moves every parameter that has a gradient; the others, and their state, stay as they are.
  virtual void step() = 0;
  void zero_grad();

  double lr() const { return lr_; }
  /// Error unless finite and not negative.
  void set_lr(double lr);
  const NamedTensors& parameters() const { return parameters_; }

 protected:
  Optimiser(const char* name, NamedTensors parameters, double lr);

  /// The gradient of parameter i, contiguous; undefined when it has none.
  Tensor gradient(size_t i) const;
  /// A buffer of zeros like parameter i, made on first use.
  Tensor& state(std::vector<Tensor>& buffers, size_t i) const;

  NamedTensors parameters_;

 private:
  const char* name_;
  double lr_ = 0;
};

/// Throws unless `value` lies in [0, 1), naming optimiser and option.
void require_decay_rate(const char* optimiser, const char* option, double value);
/// Throws unless `value` is finite and at least 0, naming optimiser and option.
void require_not_negative(const char* optimiser, const char* option, double value);

}  // namespace headwise
