#include <algorithm>
#include <cmath>

#include "headwise/autograd/compare.h"
#include "headwise/autograd/gradcheck/modes.h"
#include "headwise/autograd/ops/creation.h"

namespace headwise::checking {
namespace {

// Beyond rounding: sums may run in another order over another layout. Undefined stands for zeros.
bool differ(const Tensor& a, const Tensor& b) {
  if (!a.defined() && !b.defined()) return false;
  const auto x = (a.defined() ? a : zeros(b.shape(), f64)).to_vector<double>();
  const auto y = (b.defined() ? b : zeros(a.shape(), f64)).to_vector<double>();
  constexpr double tolerance = 1e-10;
  double scale = 0;
  for (const double value : x) scale = std::max(scale, std::abs(value));
  for (size_t i = 0; i < x.size(); ++i)
    if (x[i] != y[i] && !(std::abs(x[i] - y[i]) <= tolerance * scale) &&
        !(std::isnan(x[i]) && std::isnan(y[i])))
      return true;
  return false;
}

// From inputs that are not contiguous, unless f refuses those, as one with a view must.
Subject::Recorded record_spread(const Subject& subject) {
  try {
    return subject.record(Subject::Layout::spread);
  } catch (const Error&) {
    return subject.record();
  }
}

// The gradients of one input after another, each asked for alone. What backward cannot deliver, from whatever
// cotangent, makes the input wrong.
class Prober {
 public:
  explicit Prober(const Check& check)
      : check_(check),
        recorded_(check.subject.record()),
        again_(check.subject.record()),
        spread_(record_spread(check.subject)) {}

  /// Whether backward delivered; of what it delivered, the entry says what is wrong.
  bool probe(size_t input, GradcheckInput& entry) const {
    try {
      compare(input, entry);
      return true;
    } catch (const Error& error) {
      conclude(entry, Verdict::wrong, error.what());
      return false;
    }
  }

  /// The gradients that all inputs are given together, which must be those that each is given alone.
  bool probe_together(Check& check) const {
    std::vector<Tensor> together;
    try {
      together = gradients(recorded_, check.positions(), check.cotangent, "the gradients of all inputs");
    } catch (const Error& error) {
      for (const Place& place : check.places) conclude(check.entry(place), Verdict::wrong, error.what());
      return false;
    }
    for (size_t k = 0; k < check.places.size(); ++k)
      if (differ(together[k],
                 gradient(recorded_, check.places[k].input, check.cotangent, "its gradient alone")))
        conclude(check.entry(check.places[k]), Verdict::wrong,
                 "asked for this gradient alone, backward gives another than for all of them together");
    return true;
  }

 private:
  static std::vector<Tensor> gradients(const Subject::Recorded& recorded, const std::vector<size_t>& inputs,
                                       const Tensor& cotangent, const char* asked) {
    try {
      return recorded.gradients(inputs, cotangent);
    } catch (const Error& error) {
      fail("backward failed, asked for {}: {}", asked, error.what());
    }
  }
  static Tensor gradient(const Subject::Recorded& recorded, size_t input, const Tensor& cotangent,
                         const char* asked) {
    return gradients(recorded, {input}, cotangent, asked)[0];
  }

  void compare(size_t input, GradcheckInput& entry) const {
    const Tensor& cotangent = check_.cotangent;
    const Shape& shape = cotangent.shape();
    const Tensor first = gradient(recorded_, input, cotangent, "its gradient alone");
    if (!same_bits(first, gradient(again_, input, cotangent, "its gradient again")))
      return conclude(entry, Verdict::not_deterministic,
                      "two backward passes with the same cotangent gave two gradients");
    const Tensor none = gradient(recorded_, input, zeros(shape, f64), "its gradient from a zero cotangent");
    for (const double x : none.defined() ? none.values<double>() : std::span<const double>())
      if (x != 0)
        return conclude(entry, Verdict::wrong,
                        fmt::format("a zero cotangent gave a gradient that is not zero: {}", x));
    if (differ(first, gradient(spread_, input, spread(cotangent),
                               "its gradient from inputs and a cotangent that are not contiguous")))
      return conclude(
          entry, Verdict::wrong,
          "inputs and a cotangent that are not contiguous gave another gradient than contiguous ones");
    if (differ(gradient(recorded_, input, ones(shape, f64), "its gradient from a cotangent of ones"),
               gradient(recorded_, input, ones({}, f64).expand(shape),
                        "its gradient from a cotangent expanded from one element")))
      conclude(entry, Verdict::wrong,
               "a cotangent expanded from one element gave another gradient than a contiguous one");
  }

  const Check& check_;
  Subject::Recorded recorded_, again_, spread_;
};

}  // namespace

void check_cotangents(Check& check) {
  const Prober prober(check);
  std::erase_if(check.places,
                [&](const Place& place) { return !prober.probe(place.input, check.entry(place)); });
  if (!prober.probe_together(check)) check.places.clear();
}

}  // namespace headwise::checking
