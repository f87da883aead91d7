// What a thread does with its ops besides computing: it records them, unless told not to, and watches them
// inside DetectAnomaly.
#pragma once

#include <cstdint>

namespace headwise {

/// The switches of a thread share one byte, so that an op learns in one read that it is to be recorded and
/// nothing else.
namespace op_mode {
inline constexpr uint8_t recording = 1;
inline constexpr uint8_t watched = 2;  // by DetectAnomaly
uint8_t current();
void set(uint8_t which, bool on);

/// Sets one switch for its lifetime.
class Scope {
 public:
  Scope(uint8_t which, bool on);
  ~Scope();
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  /// What the switch was outside.
  bool before() const { return before_; }

 private:
  uint8_t which_;
  bool before_;
};
}  // namespace op_mode

inline bool grad_enabled() { return (op_mode::current() & op_mode::recording) != 0; }

/// Sets the switch for its lifetime.
class GradMode : op_mode::Scope {
 public:
  explicit GradMode(bool enabled) : Scope(op_mode::recording, enabled) {}
};

/// Turns recording off for its lifetime: `NoGrad guard;`
class NoGrad : GradMode {
 public:
  NoGrad() : GradMode(false) {}
};

}  // namespace headwise
