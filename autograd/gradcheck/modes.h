// The ways to compare a gradient with differences. Each judges every input that is checked.
#pragma once

#include "headwise/autograd/gradcheck/judge.h"
#include "headwise/autograd/gradcheck/subject.h"

namespace headwise::checking {

/// An input that is checked: its position among the inputs and in the report.
struct Place {
  size_t input, entry;
};

struct Check {
  const Subject& subject;
  const GradcheckOptions& options;
  GradcheckReport report = {};
  std::vector<Place> places = {};
  /// f at the point, and a random cotangent of it.
  Tensor output = {}, cotangent = {};

  GradcheckInput& entry(const Place& place) { return report.inputs[place.entry]; }
  std::vector<size_t> positions() const {
    std::vector<size_t> inputs;
    for (const Place& place : places) inputs.push_back(place.input);
    return inputs;
  }
};

/// A zero cotangent, the same cotangent twice, layouts that are not contiguous, and each gradient alone
/// beside all together. Inputs whose gradient backward fails to deliver are wrong, and checked no further.
void check_cotangents(Check& check);

void check_full(Check& check);
void check_directions(Check& check);
void check_taylor(Check& check);

}  // namespace headwise::checking
