// Reference values kept as JSON: tensors are {"shape": [...], "values": [...]}.
#pragma once

#include <fstream>

#include <nlohmann/json.hpp>

#include "tests/support/tensors.h"

namespace headwise::testing {

using Json = nlohmann::json;

/// The cases of tests/data/NAME.
inline Json reference_cases(const std::string& name) {
  std::ifstream file(std::string(HEADWISE_TEST_DATA) + "/" + name);
  REQUIRE(file.good());
  return Json::parse(file).at("cases");
}

/// The f64 tensor of an entry; undefined for null.
inline Tensor tensor_of(const Json& entry) {
  if (entry.is_null()) return {};
  const auto sizes = entry.at("shape").get<std::vector<int64_t>>();
  return from_values<double>(entry.at("values").get<std::vector<double>>(), Shape(std::span(sizes)));
}

}  // namespace headwise::testing
