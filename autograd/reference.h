// Intrusive reference counting: one pointer wide, one allocation per object, safe across threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace headwise {

/// Base of a counted object, born with one hold on it, which `adopt` takes. `Reference` calls the overload
/// `destroy(T*)` found by argument when the last hold goes.
struct Counted {
  std::atomic<uint32_t> references{1};
};

/// Owns one count of a Counted object; null when default-constructed.
template <class T>
class Reference {
 public:
  Reference() = default;
  /// Takes over the hold that a new object is born with.
  static Reference adopt(T* object) {
    Reference reference;
    reference.object_ = object;
    return reference;
  }
  /// One more hold on an object that somebody holds.
  static Reference share(T* object) {
    Reference reference = adopt(object);
    reference.retain();
    return reference;
  }
  Reference(const Reference& other) : object_(other.object_) { retain(); }
  Reference(Reference&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Reference& operator=(Reference other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Reference() {
    // A single hold is ours: nobody can add another, and the locked instruction is spared.
    if (object_ && (is_unique() || counter().fetch_sub(1, std::memory_order_acq_rel) == 1)) destroy(object_);
  }

  T* get() const { return object_; }
  T* operator->() const { return object_; }
  T& operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }
  bool operator==(const Reference& other) const { return object_ == other.object_; }

  /// True when nobody else holds the object, so that it may be written without being seen.
  bool is_unique() const { return object_ && counter().load(std::memory_order_acquire) == 1; }

 private:
  std::atomic<uint32_t>& counter() const { return object_->references; }
  void retain() {
    if (object_) counter().fetch_add(1, std::memory_order_relaxed);
  }

  T* object_ = nullptr;
};

}  // namespace headwise
