#include "headwise/layers/module_snapshot.h"

#include <algorithm>

namespace headwise {

ModuleSnapshot::ModuleSnapshot(Module& module) : module_(module), parameters_(module.named_parameters()) {
  auto on_parameter = [this](const std::string&, Tensor& p) {
    const auto known = std::find_if(parameters_.begin(), parameters_.end(),
                                    [&](const auto& entry) { return entry.second.data() == p.data(); });
    slots_.push_back({&p, static_cast<size_t>(known - parameters_.begin())});
  };
  auto on_module = [this](Module& part) {
    const Rng* generator = part.generator();
    states_.push_back({&part, part.training_, generator ? *generator : Rng(0)});
  };
  module.visit(on_parameter, on_module);
}

ModuleSnapshot::~ModuleSnapshot() {
  module_.visit([this](const std::string&, Tensor& p) {
    const bool known =
        std::any_of(slots_.begin(), slots_.end(), [&](const Slot& slot) { return slot.place == &p; });
    if (!known) p = Tensor();
  });
  for (const Slot& slot : slots_) *slot.place = parameters_[slot.parameter].second;
  for (const State& state : states_) {
    state.module->training_ = state.training;
    if (Rng* generator = state.module->generator()) *generator = state.generator;
  }
}

void ModuleSnapshot::substitute(std::span<const Tensor> values) {
  require(values.size() == parameters_.size(), "ModuleSnapshot: {} values for {} parameters", values.size(),
          parameters_.size());
  for (const Slot& slot : slots_) *slot.place = values[slot.parameter];
}

}  // namespace headwise
