#include <nlohmann/json.hpp>

#include "headwise/autograd/gradcheck.h"

namespace headwise {
namespace {

using Json = nlohmann::ordered_json;

Json sizes(const Shape& shape) { return Json(std::vector<int64_t>(shape.begin(), shape.end())); }

Json object(const GradcheckSlope& slope, GradcheckMode mode) {
  Json result;
  result["element"] = slope.element;
  result["index"] = sizes(slope.index);
  if (mode == GradcheckMode::full) {
    result["output"] = slope.output;
    result["output_index"] = sizes(slope.output_index);
  }
  if (!slope.gradient_of.empty()) result["gradient_of"] = slope.gradient_of;
  result["numeric"] = slope.numeric;
  result["analytic"] = slope.analytic;
  result["error"] = slope.error;
  result["tolerance"] = slope.tolerance;
  result["relative_error"] = slope.relative_error();
  return result;
}

Json object(const GradcheckInput& input, GradcheckMode mode) {
  Json result;
  result["name"] = input.name;
  result["shape"] = sizes(input.shape);
  result["verdict"] = name_of(input.verdict);
  result["reason"] = input.reason;
  result["note"] = input.note;
  result["elements"] = input.elements;
  result["worst_relative_error"] = input.worst_relative_error;
  result["observed_order"] = input.observed_order;
  result["worst"] = Json::array();
  for (const GradcheckSlope& slope : input.worst) result["worst"].push_back(object(slope, mode));
  return result;
}

}  // namespace

std::string to_json(const GradcheckReport& report) {
  Json result;
  result["verdict"] = name_of(report.verdict());
  result["mode"] = name_of(report.mode);
  result["inputs"] = Json::array();
  for (const GradcheckInput& input : report.inputs) result["inputs"].push_back(object(input, report.mode));
  return result.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace headwise
