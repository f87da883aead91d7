// Numbers below the smallest normal one count as zero while this lives, on the thread that made it.
//
// A sharpened softmax is full of them, and processors take up to a hundred times as long over each.
#pragma once

#include <cstdint>

#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace headwise::kernels {

/// Results and operands alike, in all arithmetic on floating-point registers of x86-64 and AArch64.
class FlushSubnormals {
 public:
  FlushSubnormals() : before_(mode()) { set_mode(before_ | flush); }
  ~FlushSubnormals() { set_mode(before_); }
  FlushSubnormals(const FlushSubnormals&) = delete;
  FlushSubnormals& operator=(const FlushSubnormals&) = delete;

 private:
#if defined(__SSE2__)
  using Mode = unsigned;
  static constexpr Mode flush = 0x8040;  // flush to zero, denormals are zero
  static Mode mode() { return _mm_getcsr(); }
  static void set_mode(Mode mode) { _mm_setcsr(mode); }
#elif defined(__aarch64__)
  using Mode = uint64_t;
  static constexpr Mode flush = 1 << 24;  // FPCR.FZ
  static Mode mode() {
    Mode mode;
    asm volatile("mrs %0, fpcr" : "=r"(mode));
    return mode;
  }
  static void set_mode(Mode mode) { asm volatile("msr fpcr, %0" : : "r"(mode)); }
#else
  using Mode = int;
  static constexpr Mode flush = 0;
  static Mode mode() { return 0; }
  static void set_mode(Mode) {}
#endif

  Mode before_;
};

}  // namespace headwise::kernels
