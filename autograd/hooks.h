// Hooks: functions of the user's that see a tensor on its way, and may put another in its place.
//
//   const HookHandle handle = on_cotangent(hidden, [](const Tensor& dh) { fmt::print("{}\n", norm(dh)); });
//
// A hook lives as long as its handle: dropping the handle, also while the hook runs or when an exception
// passes, removes it everywhere. Nothing else owns it, so a hook may hold the tensor that it is attached to.
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "headwise/autograd/error.h"
#include "headwise/autograd/tensor.h"

namespace headwise {

/// A function of a tensor. One that returns a tensor replaces what it was given, by one of the same shape and
/// dtype, unless the result is undefined; one that returns nothing observes. The tensor given must not be
/// changed in place: others may share its memory.
class TensorHook {
 public:
  template <class F>
  requires(std::invocable<F&, const Tensor&> && !std::same_as<F, TensorHook>) TensorHook(F f) {
    if constexpr (requires { f.operator bool(); })
      require(f.operator bool(), "TensorHook: the function is empty");
    if constexpr (std::is_void_v<std::invoke_result_t<F&, const Tensor&>>)
      function_ = [f = std::move(f)](const Tensor& x) mutable {
        f(x);
        return Tensor();
      };
    else
      function_ = std::move(f);
  }
  Tensor operator()(const Tensor& x) const { return function_(x); }

 private:
  std::function<Tensor(const Tensor&)> function_;
};

/// Owns a hook.
class [[nodiscard]] HookHandle {
 public:
  HookHandle() = default;
  explicit HookHandle(std::shared_ptr<const TensorHook> hook) : hook_(std::move(hook)) {}
  HookHandle(HookHandle&&) noexcept = default;
  HookHandle& operator=(HookHandle&&) noexcept = default;

  void remove() { hook_.reset(); }

 private:
  std::shared_ptr<const TensorHook> hook_;
};

/// Hooks in the order added. Adding is not synchronised with running; dropping a handle may happen anywhere.
class HookList {
 public:
  /// `place`, if any, stands in the errors of this hook instead of the one that run() is given.
  HookHandle add(TensorHook hook, std::string place = {});
  /// Puts the hooks of another list, which their handles keep owning, behind those of this one.
  void add_all(const HookList& others);
  /// True when no hook is left.
  bool empty() const;
  /// What the hooks make of `value`, each given what the one before left. Hooks added meanwhile do not run,
  /// hooks removed meanwhile no more. Error, naming `place`, for a replacement that does not fit.
  Tensor run(const char* place, Tensor value) const;

 private:
  struct Placed {
    TensorHook hook;
    std::string place;
  };
  std::vector<std::weak_ptr<const Placed>> hooks_;
};

/// Calls `hook` with the cotangent of `x`, a leaf or not, once in every backward pass that reaches x
/// (backward or grad), when all contributions are summed; hooks run in the order added. What a hook leaves is
/// what goes on: into the vjp behind x, into the result of grad() for x, or into grad() of a leaf, whose
/// hooks all run before any grad() changes. Under create_graph hooks are recorded.
///
/// A hook belongs to the graph node behind x: all copies of the handle x share it, views of x do not. It must
/// not be added while another thread runs that graph. Error when x requires no gradient,
/// as what is computed under NoGrad does.
HookHandle on_cotangent(const Tensor& x, TensorHook hook);

/// The hooks on the cotangent of a tensor that requires a gradient.
HookList& cotangent_hooks(const Tensor& x);

}  // namespace headwise
