// A callable passed by reference: one pointer to it and one to how it is called. It keeps loops that are the
// same for every body out of the body's template.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace headwise::kernels {

template <class Signature>
class FunctionRef;

/// Refers to `callable`, which must outlive it.
template <class Result, class... Args>
class FunctionRef<Result(Args...)> {
 public:
  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef>) FunctionRef(F&& callable)
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(callable)))),
        call_([](void* object, Args... args) -> Result {
          return (*static_cast<std::remove_reference_t<F>*>(object))(std::forward<Args>(args)...);
        }) {}

  Result operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

 private:
  void* object_;
  Result (*call_)(void*, Args...);
};

}  // namespace headwise::kernels
