#include "headwise/autograd/kernels/activations.h"

#include "headwise/autograd/kernels/exp.h"
#include "headwise/autograd/kernels/map_blocks.h"

namespace headwise::kernels {
namespace {

// e^-|x| cannot overflow: either form keeps all digits of the smaller side.
template <class T>
Vector<T> sigmoid_vector(const Vector<T>& x) {
  const auto one = broadcast<Vector<T>>(T{1});
  const Vector<T> e = exp_vector<T>(x < Vector<T>{} ? x : -x);
  const Vector<T> larger = one / (one + e);
  return x < Vector<T>{} ? e * larger : larger;
}

// x times a share of it, where a share of 0 leaves nothing of an infinite x.
template <class T>
Vector<T> gated(const Vector<T>& x, const Vector<T>& share) {
  return share == Vector<T>{} ? Vector<T>{} : x * share;
}

// ln(1 + e) for e in [0, 1] = 2 artanh z = 2 (z + z^3 / 3 + z^5 / 5 + ...), z = e / (2 + e) <= 1/3. The first
// term left out is below half a unit in the last place.
template <class T>
Vector<T> log_one_plus(const Vector<T>& e) {
  using V = Vector<T>;
  constexpr int terms = sizeof(T) == 4 ? 8 : 17;
  const V z = e / (e + broadcast<V>(T{2}));
  const V square = z * z;
  V series = broadcast<V>(T{1} / static_cast<T>(2 * terms - 1));
  unrolled<terms - 1>([&](auto k) __attribute__((always_inline)) {
    series = multiply_add(series, square, broadcast<V>(T{1} / static_cast<T>(2 * (terms - 1 - k) - 1)));
  });
  return (z + z) * series;
}

}  // namespace

template <class T>
void sigmoid(const T* in, T* out, int64_t n) {
  map_blocks(in, out, n, [](const Vector<T>& x) { return sigmoid_vector<T>(x); });
}

template <class T>
void silu(const T* in, T* out, int64_t n) {
  map_blocks(in, out, n, [](const Vector<T>& x) { return gated<T>(x, sigmoid_vector<T>(x)); });
}

template <class T>
void softplus(const T* in, T* out, int64_t n) {
  map_blocks(in, out, n, [](const Vector<T>& x) {
    const Vector<T> rest = log_one_plus<T>(exp_vector<T>(x < Vector<T>{} ? x : -x));
    return x < Vector<T>{} ? rest : x + rest;
  });
}

template <class T>
void cubic_silu(const T* in, T* out, int64_t n, T slope, T cube) {
  const auto a = broadcast<Vector<T>>(slope), b = broadcast<Vector<T>>(cube);
  map_blocks(in, out, n, [a, b](const Vector<T>& x) {
    return gated<T>(x, sigmoid_vector<T>(x * multiply_add<Vector<T>>(b, x * x, a)));
  });
}

template void sigmoid(const float*, float*, int64_t);
template void sigmoid(const double*, double*, int64_t);
template void silu(const float*, float*, int64_t);
template void silu(const double*, double*, int64_t);
template void softplus(const float*, float*, int64_t);
template void softplus(const double*, double*, int64_t);
template void cubic_silu(const float*, float*, int64_t, float, float);
template void cubic_silu(const double*, double*, int64_t, double, double);

}  // namespace headwise::kernels
