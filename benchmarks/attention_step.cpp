// One training step of multi-head self-attention: headwise beside the same step written by hand.
//
// Both run turn and turn about in one process on one thread, so that a machine whose speed drifts slows them
// alike; medians and their ratio are printed, a line per configuration. Where Python can import PyTorch, its
// best figure follows, taken in the same run.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "headwise/autograd/autograd.h"
#include "headwise/benchmarks/hand_written_step.h"
#include "headwise/layers/layers.h"
#include "headwise/optim/optim.h"

namespace {

using namespace headwise;
using headwise::benchmarks::Configuration;
using headwise::benchmarks::HandWrittenStep;

class Step {
 public:
  explicit Step(const Configuration& c)
      : rng_(1),
        attention_({.d_model = c.d_model, .heads = c.heads}, rng_),
        adam_(attention_.named_parameters(), {.lr = 1e-3}),
        x_(randn({c.batch, c.length, c.d_model}, rng_)),
        y_(randn({c.batch, c.length, c.d_model}, rng_)) {}

  float operator()(int) {
    adam_.zero_grad();
    const Tensor loss = mse_loss(attention_.forward(x_, {.weights = false}).output, y_);
    backward(loss);
    adam_.step();
    return loss.item<float>();
  }

 private:
  Rng rng_;
  MultiHeadAttention attention_;
  Adam adam_;
  Tensor x_, y_;
};

double microseconds() {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// The time per step of `repeats` steps in a row, so that the shortest configuration is longer than the
// clock's grain.
template <class F>
double time_steps(F& step, int& t, int repeats) {
  const double before = microseconds();
  for (int i = 0; i < repeats; ++i)
    if (!std::isfinite(step(++t))) fmt::print(stderr, "the loss is not finite\n");
  return (microseconds() - before) / repeats;
}

double median(std::vector<double>& times) {
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

// What a command prints, read as a number; nothing when it prints none.
std::optional<double> number_printed_by(const std::string& command) {
  struct Close {
    void operator()(std::FILE* pipe) const { pclose(pipe); }
  };
  const std::unique_ptr<std::FILE, Close> pipe(popen((command + " 2>/dev/null").c_str(), "r"));
  double number = 0;
  if (!pipe || std::fscanf(pipe.get(), "%lf", &number) != 1) return std::nullopt;
  return number;
}

std::optional<double> torch_time(const Configuration& c) {
  return number_printed_by(
      fmt::format("python3 {} {} {} {} {}", HEADWISE_TORCH_STEP, c.batch, c.length, c.d_model, c.heads));
}

}  // namespace

int main() {
  set_num_threads(1);
  Eigen::setNbThreads(1);
  const Configuration configurations[] = {{1, 4, 8, 2},     {32, 16, 32, 4},  {32, 32, 64, 4},
                                          {16, 64, 128, 8}, {8, 128, 512, 8}, {4, 512, 512, 8}};
  constexpr double seconds_per_configuration = 3;
  const bool torch = number_printed_by("python3 -c 'import torch; print(1)'").has_value();
  fmt::print("{:>4} {:>5} {:>8} {:>3} {:>12} {:>16} {:>8}{}\n", "B", "T", "d_model", "h", "ours_us",
             "hand_written_us", "ratio", torch ? "     torch_us" : "");
  for (const Configuration& c : configurations) {
    Step ours(c);
    HandWrittenStep hand_written(c);
    int t_ours = 0, t_hand_written = 0;
    const int repeats = std::clamp(static_cast<int>(200 / (time_steps(ours, t_ours, 3) + 1e-3)), 1, 100);
    time_steps(hand_written, t_hand_written, 3);
    std::vector<double> ours_times, hand_written_times;
    for (const double start = microseconds(); microseconds() - start < seconds_per_configuration * 1e6;) {
      ours_times.push_back(time_steps(ours, t_ours, repeats));
      hand_written_times.push_back(time_steps(hand_written, t_hand_written, repeats));
    }
    const double a = median(ours_times), b = median(hand_written_times);
    const std::optional<double> torch_us = torch ? torch_time(c) : std::nullopt;
    fmt::print("{:>4} {:>5} {:>8} {:>3} {:>12.2f} {:>16.2f} {:>8.3f}{}\n", c.batch, c.length, c.d_model,
               c.heads, a, b, a / b, torch_us ? fmt::format(" {:>12.2f}", *torch_us) : "");
    std::fflush(stdout);
  }
}
