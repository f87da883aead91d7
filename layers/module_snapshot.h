// All that a module holds, to be put back.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "headwise/layers/module.h"

namespace headwise {

/// Remembers the parameters, training flags and generators of a module and of all below it, and puts them
/// back when it goes; a parameter that was undefined, such as the bias of a layer without one, is so again.
/// The module must outlive it, and keep its children.
class ModuleSnapshot {
 public:
  explicit ModuleSnapshot(Module& module);
  ~ModuleSnapshot();
  ModuleSnapshot(const ModuleSnapshot&) = delete;
  ModuleSnapshot& operator=(const ModuleSnapshot&) = delete;

  /// The parameters as they were, each once.
  const NamedTensors& parameters() const { return parameters_; }
  /// Has the module compute with these in place of parameters(), wherever one is used.
  void substitute(std::span<const Tensor> values);

 private:
  struct Slot {
    Tensor* place;
    size_t parameter;  // of parameters_
  };
  struct State {
    Module* module;
    bool training;
    Rng generator;
  };

  Module& module_;
  NamedTensors parameters_;
  std::vector<Slot> slots_;
  std::vector<State> states_;
};

}  // namespace headwise
