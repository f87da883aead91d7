#include "headwise/autograd/anomaly.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "headwise/autograd/ops/loop.h"
#include "headwise/autograd/record.h"

namespace headwise {
namespace {

thread_local DetectAnomaly* innermost = nullptr;

// Ops whose infinities are their operands' or were asked for.
constexpr OpName moving_ops[] = {"pad",    "clone",        "cat",   "flip",
                                 "gather", "index_select", "where", "masked_fill"};

bool only_moves(std::string_view op) {
  return std::any_of(std::begin(moving_ops), std::end(moving_ops),
                     [op](const OpName& name) { return name.text == op; });
}

bool share_memory(const Tensor& a, const Tensor& b) { return a.data()->storage == b.data()->storage; }

struct Census {
  double smallest = std::numeric_limits<double>::infinity();  // of the finite elements
  double largest = -std::numeric_limits<double>::infinity();
  int64_t nan = 0, positive = 0, negative = 0;  // infinities by sign

  bool all_finite() const { return nan + positive + negative == 0; }
};

Census census_of(const Tensor& x) {
  Census census;
  const auto loop = ops::make_loop<2>({&x, &x});
  const int64_t step = loop.strides[0][loop.inner()];
  dispatch_any(x.dtype(), [&]<class T>() {
    kernels::for_each_run(
        loop,
        [&](const std::array<int64_t, 2>& at, int64_t count) {
          const T* run = x.pointer<const T>() + at[0];
          for (int64_t i = 0; i < count; ++i) {
            const auto value = static_cast<double>(run[i * step]);
            if (std::isfinite(value)) {
              census.smallest = std::min(census.smallest, value);
              census.largest = std::max(census.largest, value);
            } else {
              ++(std::isnan(value) ? census.nan : value > 0 ? census.positive : census.negative);
            }
          }
        },
        std::max<int64_t>(x.numel(), 1));
  });
  return census;
}

std::string describe(const Tensor& x) {
  const Census census = census_of(x);
  const std::string range = census.smallest <= census.largest
                                ? fmt::format("from {} to {}", census.smallest, census.largest)
                                : "no finite value";
  return fmt::format("shape {}, {}, {}, {} NaN, {} inf, {} -inf", x.shape(), x.dtype(), range, census.nan,
                     census.positive, census.negative);
}

}  // namespace

struct KnownNames {
  /// " (name)" for a tensor that shares its memory with one that the scopes know by name.
  static std::string name_of(const Tensor& x) {
    return find([&](const Tensor& named) { return share_memory(named, x); });
  }

  static std::string name_of_leaf(const Node& node) {
    return find([&](const Tensor& named) { return named.edge().holder.get() == &node; });
  }

 private:
  template <class Matches>
  static std::string find(Matches matches) {
    for (const DetectAnomaly* scope = innermost; scope; scope = scope->outer_)
      for (const auto& [name, tensor] : scope->names_)
        if (tensor.defined() && matches(tensor)) return fmt::format(" ({})", name);
    return "";
  }
};

namespace {

std::string line(const char* what, size_t index, const Tensor& x) {
  if (!x.defined()) return "";
  return fmt::format("\n  {} {}{}: {}", what, index, KnownNames::name_of(x), describe(x));
}

bool is_watched(const Tensor& x) { return x.defined() && is_floating(x.dtype()); }

}  // namespace

DetectAnomaly::DetectAnomaly(NamedTensors names)
    : names_(std::move(names)),
      outer_(std::exchange(innermost, this)),
      watched_outside_((op_mode::current() & op_mode::watched) != 0) {
  op_mode::set(op_mode::watched, true);
}

// One that ends before those inside it leaves its place in the list, and what is to be restored there, to the
// next of them.
DetectAnomaly::~DetectAnomaly() {
  if (innermost == this) {
    innermost = outer_;
    op_mode::set(op_mode::watched, watched_outside_);
    return;
  }
  DetectAnomaly* inner = innermost;
  while (inner->outer_ != this) inner = inner->outer_;
  inner->outer_ = outer_;
  inner->watched_outside_ = watched_outside_;
}

void anomaly::check_results(const char* op, std::span<Tensor* const> results,
                            std::span<const Tensor* const> inputs) {
  auto some_input = [&](auto holds) {
    return std::any_of(inputs.begin(), inputs.end(),
                       [&](const Tensor* input) { return is_watched(*input) && holds(*input); });
  };
  for (size_t i = 0; i < results.size(); ++i) {
    if (!is_watched(*results[i])) continue;
    // A view computes nothing, and may be of memory that is yet to be filled.
    if (some_input([&](const Tensor& input) { return share_memory(input, *results[i]); })) continue;
    const Census census = census_of(*results[i]);
    if (census.all_finite()) continue;
    if (census.nan == 0 && only_moves(op)) continue;
    if (census.nan + census.positive == 0 &&
        some_input([](const Tensor& input) { return census_of(input).negative > 0; }))
      continue;
    std::string text = fmt::format("{} returned what is not finite{}", op, line("output", i, *results[i]));
    for (size_t j = 0; j < inputs.size(); ++j) text += line("input", j, *inputs[j]);
    throw Error(text);
  }
}

void anomaly::check_gradients(Node& node, std::span<const Tensor> gradients) {
  for (size_t i = 0; i < gradients.size(); ++i) {
    if (!is_watched(gradients[i]) || census_of(gradients[i]).all_finite()) continue;
    const Edge& edge = node.edges()[i];
    std::string text = fmt::format(
        "backward of {} gave a gradient that is not finite\n  gradient of input {}{}: {}", node.name(), i,
        edge ? KnownNames::name_of_leaf(*edge.node()) : "", describe(gradients[i]));
    const auto outputs = node.outputs();
    for (size_t j = 0; j < outputs.size(); ++j) text += line("cotangent of output", j, outputs[j].cotangent);
    const auto saved = node.saved();
    for (size_t j = 0; j < saved.size(); ++j) text += line("saved value", j, saved[j].value());
    throw Error(text);
  }
}

void anomaly::check_cotangents(Node& node) {
  for (const NodeOutput& output : node.outputs()) {
    const Tensor& cotangent = output.cotangent;
    if (!is_watched(cotangent) || census_of(cotangent).all_finite()) continue;
    fail("backward: the cotangent of {}{} is not finite, with all its parts summed and its hooks run: {}",
         node.name(), KnownNames::name_of_leaf(node), describe(cotangent));
  }
}

}  // namespace headwise
