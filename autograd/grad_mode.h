// Whether ops are being recorded: a switch per thread, on by default.
#pragma once

namespace headwise {

bool grad_enabled();

/// Sets the switch for its lifetime.
class GradMode {
 public:
  explicit GradMode(bool enabled);
  ~GradMode();
  GradMode(const GradMode&) = delete;
  GradMode& operator=(const GradMode&) = delete;

 private:
  bool before_;
};

/// Turns recording off for its lifetime: `NoGrad guard;`
class NoGrad : GradMode {
 public:
  NoGrad() : GradMode(false) {}
};

}  // namespace headwise
