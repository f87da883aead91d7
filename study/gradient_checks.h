// Is every gradient right? The tables of ops and layers, checked row by row and summed up by name.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "headwise/autograd/gradcheck.h"

namespace headwise::study {

/// One row of a table, bound to its inputs.
struct GradientRow {
  std::string name;
  std::string_view kind;  // "op" or "layer"
  std::string what;
  std::function<GradcheckReport(const GradcheckOptions&)> check;
};

struct GradientRowOptions {
  /// The names to check: every op and every layer where both lists are empty.
  std::vector<std::string> ops = {}, layers = {};
  /// Draws the inputs and the layers' parameters.
  uint64_t seed = 1;
  /// Checks second derivatives in place of gradients.
  bool second_order = false;
};

/// The rows asked for, those of a name together. Error, listing the known names, for a name without rows.
std::vector<GradientRow> gradient_rows(const GradientRowOptions& options);

/// What the rows of one name came to.
struct GradientCheck {
  std::string name;
  std::string_view kind;
  /// The worst of the rows' verdicts.
  Verdict verdict = Verdict::right;
  /// Of all rows; infinite where a gradient is NaN.
  double worst_relative_error = 0;
  /// How many elements (or directions, in the modes that have them) were moved, over all rows.
  int64_t elements = 0;
  double seconds = 0;
  /// The reports of the rows that are not right.
  std::string details;
};

/// Checks every row; `progress` is told the share that is done.
std::vector<GradientCheck> check_gradients(const std::vector<GradientRow>& rows,
                                           const GradcheckOptions& options,
                                           const std::function<void(double)>& progress);

bool none_wrong(const std::vector<GradientCheck>& checks);

}  // namespace headwise::study
