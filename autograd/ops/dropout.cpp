#include "headwise/autograd/ops/dropout.h"

#include <algorithm>
#include <cmath>

#include "headwise/autograd/ops/loop.h"
#include "headwise/autograd/record.h"

namespace headwise {

void require_probability(const char* op, double p) {
  require(p >= 0 && p <= 1, "{}: p must be a probability from 0 to 1, got {}", op, p);
}

namespace {

// y = dropped ? 0 : x scale          dx = dropped ? 0 : dy scale
Tensor drop(const Tensor& x, const Tensor& dropped, double scale) {
  Tensor y = empty(x.shape(), x.dtype());
  dispatch_floating("dropout", x.dtype(), [&]<class T>() {
    kernels::map(ops::make_loop<3>({&y, &x, &dropped}), y.pointer<T>(), x.pointer<const T>(),
                 dropped.pointer<const bool>(),
                 [factor = static_cast<T>(scale)](T a, bool zeroed) { return zeroed ? T{0} : a * factor; });
  });
  return record("dropout", y, inputs(x), saves(dropped),
                [scale](Vjp& v, const Tensor& zeroed) { v.give(0, drop(v.cotangent(), zeroed, scale)); });
}

}  // namespace

Tensor dropout(const Tensor& x, double p, Rng& rng) {
  require_probability("dropout", p);
  require_floating("dropout", x);
  if (p == 0) return x;
  Tensor dropped = empty(x.shape(), boolean);
  std::vector<uint32_t, pool::Allocator<uint32_t>> draws(static_cast<size_t>(x.numel()));
  rng.fill_bits(draws);
  const auto threshold = static_cast<uint64_t>(std::ldexp(p, 32));
  std::transform(draws.begin(), draws.end(), dropped.pointer<bool>(),
                 [threshold](uint32_t draw) { return draw < threshold; });
  return drop(x, dropped, p < 1 ? 1 / (1 - p) : 0);
}

}  // namespace headwise
