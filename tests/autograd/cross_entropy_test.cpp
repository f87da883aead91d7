// Cross-entropy with ignored, smoothed, weighted and bad targets, reduced and by row.
#include "tests/support/tensors.h"

namespace headwise::testing {
namespace {

using Values = std::vector<double>;

// Loss and gradient, which the plain form must share, fused or composed.
struct LossAndGradient {
  double loss;  // their sum, when there is one per row
  Tensor gradient;
  int64_t count;
};
LossAndGradient run(const Tensor& given, const Tensor& targets, const CrossEntropyOptions& options = {}) {
  const Tensor logits = given.clone().set_requires_grad(true);
  const CrossEntropy fused = cross_entropy(logits, targets, options);
  const CrossEntropy plain = cross_entropy_reference(logits, targets, options);
  Rng rng(9);
  const std::vector cotangent{fused.loss.rank() ? randn(fused.loss.shape(), rng, f64) : ones({}, f64)};
  auto gradient_of = [&](const Tensor& loss, bool create_graph) {
    return grad(std::vector{loss}, std::vector{logits}, cotangent,
                {.retain_graph = true, .create_graph = create_graph})[0];
  };
  const Tensor gradient = gradient_of(fused.loss, false);
  check_close(fused.loss, plain.loss, 1e-14);
  check_close(gradient, gradient_of(plain.loss, false), 1e-14);
  check_close(gradient, gradient_of(fused.loss, true), 1e-14);
  CHECK(fused.count == plain.count);
  return {sum(fused.loss).item<double>(), gradient, fused.count};
}

Tensor targets(std::initializer_list<int64_t> values) { return from<int64_t>(values); }

}  // namespace

TEST_CASE("cross-entropy of distant logits", "[cross_entropy]") {
  const auto found = run(from({{-431.0, 279.0, 427.0}}), targets({0}));
  CHECK(found.loss == 858);
  const auto g = values(found.gradient);
  CHECK(g[0] == -1);
  CHECK(std::abs(g[1] / 5.301718666092324e-65 - 1) < 1e-12);
  CHECK(g[2] == 1);
}

TEST_CASE("a class that cannot be costs the others nothing", "[cross_entropy]") {
  const auto found = run(from({{-double{INFINITY}, 2.0, 2.0}}), targets({1}));
  CHECK(found.loss == std::log(2.0));
  CHECK(values(found.gradient) == Values{0, -0.5, 0.5});
}

TEST_CASE("the mean over no rows is zero, with zero gradient and a count of zero", "[cross_entropy]") {
  for (const Reduction reduction : {Reduction::mean, Reduction::sum, Reduction::none}) {
    const auto found =
        run(from({{1.0, 2.0, 3.0}}), targets({-100}), {.ignore_index = -100, .reduction = reduction});
    CHECK(found.loss == 0);
    CHECK(values(found.gradient) == Values{0, 0, 0});
    CHECK(found.count == 0);
  }
  const auto nothing = run(zeros({0, 3}, f64), zeros({0}, i64));
  CHECK(nothing.loss == 0);
  CHECK(nothing.count == 0);
  CHECK(nothing.gradient.shape() == Shape{0, 3});
}

TEST_CASE("an ignored row counts for nothing", "[cross_entropy]") {
  const Tensor logits = from({{1.0, 2.0}, {3.0, 0.4}});
  const CrossEntropyOptions smoothed{.ignore_index = -100, .label_smoothing = 0.1};
  const auto found = run(logits, targets({-100, 1}), smoothed);
  CHECK(std::abs(found.loss - 2.54164469196767) < 1e-12);
  check_close(found.gradient, from({{0.0, 0.0}, {0.8808615796566532, -0.8808615796566532}}));
  CHECK(found.count == 1);
  CHECK(run(logits.slice(0, 1, 2), targets({1}), smoothed).loss == found.loss);

  CrossEntropyOptions weighted = smoothed;
  weighted.class_weights = from({0.2, 0.3});
  CHECK(std::abs(run(logits, targets({-100, 1}), weighted).loss - 2.540450613768209) < 1e-12);

  CHECK(std::abs(run(logits, targets({0, 1})).loss - 1.9924531897429465) < 1e-12);
  CHECK(std::abs(run(logits, targets({-100, 1}), {.ignore_index = -100}).loss - 2.67164469196767) < 1e-12);
  // A class may be the one that is ignored.
  CHECK(run(logits, targets({0, 1}), {.ignore_index = 0}).count == 1);
}

TEST_CASE("weights, smoothing and reductions agree with plain ops and central differences",
          "[cross_entropy]") {
  Rng rng(3);
  for (const auto& [rows, classes] : {std::pair<int64_t, int64_t>{1, 1}, {5, 2}, {7, 13}, {4, 1030}}) {
    Tensor labels = empty({rows}, i64);
    for (int64_t& label : labels.mutable_values<int64_t>()) label = rng.below(classes);
    for (const double smoothing : {0.0, 0.3})
      for (const bool weighted : {false, true})
        for (const Reduction reduction : {Reduction::mean, Reduction::sum, Reduction::none}) {
          CrossEntropyOptions options{.ignore_index = labels.values<int64_t>()[0],
                                      .label_smoothing = smoothing,
                                      .reduction = reduction};
          if (weighted) options.class_weights = rand({classes}, rng, f64) + 0.1;
          const Tensor logits = randn({rows, classes}, rng, f64);
          run(logits, labels, options);
          if (classes < 100)
            CHECK(
                gradcheck([&](const auto& x) { return cross_entropy(x[0], labels, options).loss; }, {logits})
                    .verdict() == Verdict::right);
        }
  }
}

// -ln p by hand: logits (0, 0) and (ln 3, 0) give p = (1/2, 1/2) and (3/4, 1/4).
TEST_CASE("a loss per row, by hand", "[cross_entropy]") {
  const Tensor logits = from({{0.0, 0.0}, {std::log(3.0), 0.0}, {5.0, 7.0}, {std::log(3.0), 0.0}});
  const Tensor labels = targets({1, 0, -7, 1});
  CrossEntropyOptions options{.ignore_index = -7, .reduction = Reduction::none};
  const double ln2 = std::log(2.0), near = std::log(4.0 / 3), far = std::log(4.0);
  const auto plain = cross_entropy(logits, labels, options);
  check_close(plain.loss, from({ln2, near, 0.0, far}), 1e-15);
  CHECK(plain.count == 3);

  options.label_smoothing = 0.2;
  check_close(cross_entropy(logits, labels, options).loss,
              from({ln2, 0.9 * near + 0.1 * far, 0.0, 0.1 * near + 0.9 * far}), 1e-15);

  options.class_weights = from({0.5, 2.0});
  check_close(cross_entropy(logits, labels, options).loss,
              from({0.05 * ln2 + 1.8 * ln2, 0.45 * near + 0.2 * far, 0.0, 0.05 * near + 1.8 * far}), 1e-15);

  // dlogits = dloss_r ((1 - s) w_t (p - [t]) + s / 2 sum_c w_c (p - [c]))
  const Tensor x = logits.clone().set_requires_grad(true);
  options.label_smoothing = 0;
  const Tensor dloss = from({2.0, 1.0, 3.0, -4.0});
  backward(cross_entropy(x, labels, options).loss, dloss);
  check_close(x.grad(), from({{2.0, -2.0}, {-0.125, 0.125}, {0.0, 0.0}, {-6.0, 6.0}}), 1e-15);

  // The rows are what sum and mean reduce.
  const double total = sum(cross_entropy(logits, labels, options).loss).item<double>();
  options.reduction = Reduction::sum;
  CHECK(std::abs(cross_entropy(logits, labels, options).loss.item<double>() - total) < 1e-14);
  options.reduction = Reduction::mean;
  CHECK(std::abs(cross_entropy(logits, labels, options).loss.item<double>() - total / 4.5) < 1e-14);
}

TEST_CASE("a row whose loss is not asked for passes nothing, whatever its logits", "[cross_entropy]") {
  const Tensor x = from<double>({{1, INFINITY}, {0, 0}}).set_requires_grad(true);
  const Tensor loss = cross_entropy(x, targets({0, 1}), {.reduction = Reduction::none}).loss;
  backward(loss.select(0, 1));
  CHECK(values(x.grad()) == Values{0, 0, 0.5, -0.5});
}

TEST_CASE("losses by row have the shape of the targets, in f32 too", "[cross_entropy]") {
  Rng rng(5);
  const Tensor logits = randn({3, 4, 5}, rng), labels = full({3, 4}, 2, i64);
  const Tensor wide = cross_entropy(logits.to(f64), labels, {.reduction = Reduction::none}).loss;
  const Tensor narrow = cross_entropy(logits, labels, {.reduction = Reduction::none}).loss;
  CHECK(narrow.shape() == Shape{3, 4});
  CHECK(narrow.dtype() == f32);
  check_close(narrow.to(f64), wide, 1e-6);
  CHECK(cross_entropy(zeros({0, 3}), zeros({0}, i64), {.reduction = Reduction::none}).loss.shape() ==
        Shape{0});
}

TEST_CASE("targets may have any number of axes, and logits any strides", "[cross_entropy]") {
  Rng rng(4);
  const Tensor logits = randn({5, 3, 2}, rng, f64);
  const Tensor labels = arange(6).view({2, 3}).transpose(0, 1);
  const auto spread = run(logits.permute({1, 2, 0}), masked_fill(labels, labels == full({}, 5, i64), 0));
  const auto flat = run(logits.permute({1, 2, 0}).reshape({6, 5}), targets({0, 3, 1, 4, 2, 0}));
  CHECK(spread.loss == flat.loss);
  CHECK(same_bits(spread.gradient.view({6, 5}), flat.gradient));
  CHECK(run(from({1.0, 2.0}), full({}, 1, i64)).count == 1);
}

TEST_CASE("bad targets and options are refused with position and value", "[cross_entropy]") {
  const Tensor logits = zeros({2, 3}, f64);
  auto refused = [&](const Tensor& t, std::initializer_list<const char*> words,
                     const CrossEntropyOptions& options = {}) {
    check_error([&] { cross_entropy(logits, t, options); }, words);
    check_error([&] { cross_entropy_reference(logits, t, options); }, words);
  };
  refused(targets({0, 3}), {"cross_entropy", "target 3", "position 1", "3 classes"});
  refused(targets({-1, 0}), {"target -1", "position 0"});
  refused(targets({-1, -2}), {"target -2", "position 1"}, {.ignore_index = -1});
  refused(targets({0}), {"[2, 3]", "[1]"});
  refused(targets({0, 1}).view({2, 1}), {"[2, 3]", "[2, 1]"});
  refused(zeros({2}, f64), {"i64", "f64"});
  refused(targets({0, 1}), {"label_smoothing", "1.5"}, {.label_smoothing = 1.5});
  refused(targets({0, 1}), {"label_smoothing", "nan"}, {.label_smoothing = NAN});
  refused(targets({0, 1}), {"class_weights", "[3]", "[2]"}, {.class_weights = ones({2}, f64)});
  refused(targets({0, 1}), {"f64", "f32"}, {.class_weights = ones({3})});
  check_error([] { cross_entropy(zeros({2, 0}), targets({0, 0})); }, {"target 0", "0 classes"});
}

}  // namespace headwise::testing
