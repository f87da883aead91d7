// What all tasks share whose relations are those of a verb: to its subject and to its object.
#pragma once

#include <string>
#include <vector>

#include "headwise/study/task.h"

namespace headwise::study {

inline constexpr const char* relation_names[] = {"subject", "object"};

class VerbTask : public Task {
 public:
  std::string name() const override { return name_; }
  std::vector<std::string> relations() const override {
    return {std::begin(relation_names), std::end(relation_names)};
  }
  int64_t d_model() const override { return d_model_; }

 protected:
  VerbTask(std::string name, int64_t d_model) : name_(std::move(name)), d_model_(d_model) {}

 private:
  std::string name_;
  int64_t d_model_;
};

}  // namespace headwise::study
