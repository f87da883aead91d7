// Puts a generator back where it was, also when f throws.
#pragma once

#include "headwise/autograd/rng.h"

namespace headwise::checking {

class KeepRandom {
 public:
  explicit KeepRandom(Rng* random) : random_(random), before_(random ? *random : Rng(0)) {}
  ~KeepRandom() {
    if (random_) *random_ = before_;
  }
  KeepRandom(const KeepRandom&) = delete;
  KeepRandom& operator=(const KeepRandom&) = delete;

 private:
  Rng* random_;
  Rng before_;
};

}  // namespace headwise::checking
