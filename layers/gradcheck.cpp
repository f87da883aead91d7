#include "headwise/layers/gradcheck.h"

#include "headwise/layers/module_snapshot.h"

namespace headwise {
namespace {

using Checker = GradcheckReport (&)(const TensorFunction&, const std::vector<Tensor>&,
                                    const GradcheckOptions&);

GradcheckReport check(Checker checker, const TensorFunction& f, Module& module,
                      const std::vector<Tensor>& inputs, GradcheckOptions options) {
  require(bool(f), "gradcheck: f is an empty function");
  ModuleSnapshot snapshot(module);
  std::vector<Tensor> arguments;
  std::vector<std::string> names;
  for (const auto& [name, p] : snapshot.parameters()) {
    require(p.dtype() == f64, "gradcheck: parameter {} is {}; convert the module with module.to(f64) first",
            name, name_of(p.dtype()));
    arguments.push_back(p);
    names.push_back(name);
  }
  const size_t parameters = arguments.size();
  arguments.insert(arguments.end(), inputs.begin(), inputs.end());
  for (size_t i = 0; i < inputs.size(); ++i)
    names.push_back(i < options.names.size() ? options.names[i] : fmt::format("input {}", i));
  options.names = std::move(names);
  const TensorFunction of_both = [&](const std::vector<Tensor>& at) {
    snapshot.substitute({at.data(), parameters});
    return f({at.begin() + static_cast<std::ptrdiff_t>(parameters), at.end()});
  };
  return checker(of_both, arguments, options);
}

}  // namespace

GradcheckReport gradcheck(const TensorFunction& f, Module& module, const std::vector<Tensor>& inputs,
                          const GradcheckOptions& options) {
  return check(gradcheck, f, module, inputs, options);
}

GradcheckReport gradgradcheck(const TensorFunction& f, Module& module, const std::vector<Tensor>& inputs,
                              const GradcheckOptions& options) {
  return check(gradgradcheck, f, module, inputs, options);
}

}  // namespace headwise
