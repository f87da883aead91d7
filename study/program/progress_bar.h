// How long work gets reported: a bar on a terminal, a plain line now and then elsewhere.
#pragma once

#include <chrono>
#include <string>

namespace headwise::study {

/// Writes to standard error. update may be called often; it writes only when there is something to see.
class ProgressBar {
 public:
  explicit ProgressBar(std::string label);
  void update(double done);

 private:
  using Clock = std::chrono::steady_clock;

  std::string label_;
  bool terminal_;
  Clock::time_point start_, last_;
  int last_percent_ = -1;
};

}  // namespace headwise::study
