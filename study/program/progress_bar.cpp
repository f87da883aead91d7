#include "headwise/study/program/progress_bar.h"

#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace headwise::study {

ProgressBar::ProgressBar(std::string label)
    : label_(std::move(label)), terminal_(isatty(STDERR_FILENO) != 0), start_(Clock::now()), last_(start_) {}

void ProgressBar::update(double done) {
  const auto now = Clock::now();
  const int percent = static_cast<int>(done * 100);
  const bool finished = done >= 1 && last_percent_ < 100;
  const auto pause = terminal_ ? std::chrono::milliseconds(100) : std::chrono::milliseconds(5000);
  if (!finished && (now - last_ < pause || percent == last_percent_)) return;
  last_ = now;
  last_percent_ = percent;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double left = done > 0 ? seconds / done - seconds : 0;
  if (terminal_) {
    constexpr int width = 40;
    const int filled = static_cast<int>(done * width);
    fmt::print(stderr, "\r{} [{:#<{}}{:.<{}}] {:3d} %  {:.0f} s, {:.0f} s left  {}", label_, "", filled, "",
               width - filled, percent, seconds, left, finished ? "\n" : "");
  } else {
    fmt::print(stderr, "{}: {} % after {:.0f} s, {:.0f} s left\n", label_, percent, seconds, left);
  }
  std::fflush(stderr);
}

}  // namespace headwise::study
