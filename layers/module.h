// A module is a set of named parameters and named child modules. It lists them in one place,
//
//   void members(Members& m) override { m.parameter("weight", weight); m.child("attention", attention); }
//
// and everything that walks over parameters (training, saving, converting) follows from that list, and over
// observation points too. Names of children join with dots: "attention.W_Q".
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "headwise/autograd/named_tensor.h"
#include "headwise/autograd/rng.h"
#include "headwise/layers/observation.h"

namespace headwise {

class Module;

/// Receives the members of a module, in their order.
class Members {
 public:
  using OnParameter = std::function<void(const std::string& name, Tensor& parameter)>;
  using OnModule = std::function<void(Module& module)>;
  using OnPoint = std::function<void(const std::string& name, ObservationPoint& point)>;
  Members(OnParameter on_parameter, OnModule on_module, OnPoint on_point)
      : on_parameter_(std::move(on_parameter)),
        on_module_(std::move(on_module)),
        on_point_(std::move(on_point)) {}

  /// An undefined tensor, such as the bias of a layer without one, is passed over.
  void parameter(std::string_view name, Tensor& parameter);
  void point(std::string_view name, ObservationPoint& point);
  void child(std::string_view name, Module& module);
  /// Children "name.0", "name.1", ...
  template <class Modules>
  void children(std::string_view name, Modules& modules) {
    int index = 0;
    for (Module& module : modules) child(fmt::format("{}.{}", name, index++), module);
  }

 private:
  OnParameter on_parameter_;
  OnModule on_module_;
  OnPoint on_point_;
  std::string prefix_;
};

/// Copying a module shares its parameters, as copying a tensor does; load_state_dict copies their values.
class Module {
 public:
  virtual ~Module() = default;

  /// All parameters with their full names; one that appears twice is listed once, under its first name.
  NamedTensors named_parameters();
  /// The parameters' values, outside the graph, sharing memory with them.
  NamedTensors state_dict();
  /// Copies values in. Error, with nothing changed, unless names, shapes and dtypes are those of
  /// state_dict(); it lists what is missing and what is unknown.
  void load_state_dict(const NamedTensors& state);
  int64_t parameter_count();

  /// Switches this module and all below it between training and evaluation.
  void train(bool training = true);
  void eval() { train(false); }
  bool training() const { return training_; }

  /// The full names of all observation points: "attention.weights". What each holds, and in which shape, is
  /// said where its layer is declared.
  std::vector<std::string> point_names();
  /// Calls `hook` with the tensor at a point, in every forward pass; what it returns, if anything, goes on in
  /// the tensor's place. Hooks run in the order added, and each as long as its handle lives. Error for a name
  /// that is not in point_names(), which it lists.
  HookHandle on_forward(std::string_view point, TensorHook hook);
  /// The same for the cotangent of the tensor at a point, in every backward pass that reaches it through a
  /// forward pass that was recorded after this call.
  HookHandle on_backward(std::string_view point, TensorHook hook);

  /// Converts all parameters, dropping their gradients. Optimisers hold parameters: make them afterwards.
  void to(DType dtype);
  void zero_grad();

 protected:
  Module() = default;
  Module(const Module&) = default;
  Module(Module&&) = default;
  Module& operator=(const Module&) = default;
  Module& operator=(Module&&) = default;

 private:
  friend class Members;
  friend class ModuleSnapshot;
  /// The generator that forward draws from, of a module that has one.
  virtual Rng* generator() { return nullptr; }
  virtual void members(Members& m) = 0;
  void visit(Members::OnParameter on_parameter, Members::OnModule on_module = {},
             Members::OnPoint on_point = {});
  ObservationPoint& point(std::string_view name);

  bool training_ = true;
};

/// `values` as a parameter: a leaf that requires a gradient.
Tensor parameter(Tensor values);

}  // namespace headwise
