#include "tests/autograd/op_cases.h"

namespace headwise::testing {

std::vector<OpCase> cross_entropy_cases() {
  const Tensor targets = integers({2, 0, 1}, {3});
  return {
      {"cross_entropy",
       "mean",
       [targets](const Args& x) { return cross_entropy(x[0], targets).loss; },
       {normal({3, 4}, 73)}},
      {"cross_entropy",
       "sum, smoothed, weighted, one ignored",
       [targets](const Args& x) {
         return cross_entropy(x[0], targets,
                              {.ignore_index = 0,
                               .label_smoothing = 0.2,
                               .class_weights = from({0.5, 1.0, 2.0}),
                               .reduction = Reduction::sum})
             .loss;
       },
       {normal({3, 3}, 74)}},
      {"cross_entropy",
       "by row, smoothed, weighted, one ignored",
       [targets](const Args& x) {
         return cross_entropy(x[0], targets,
                              {.ignore_index = 1,
                               .label_smoothing = 0.1,
                               .class_weights = from({0.5, 1.0, 2.0}),
                               .reduction = Reduction::none})
             .loss;
       },
       {normal({3, 3}, 77)}},
  };
}

std::vector<ErrorCase> cross_entropy_errors() {
  const Tensor x = ones({2, 3});
  return {
      {"cross_entropy",
       "no such class",
       call([=] {
         return cross_entropy(x, from<int64_t>({0, 3})).loss;
       }),
       {"cross_entropy", "target 3", "position 1", "3 classes"}},
      {"cross_entropy",
       "batch sizes",
       call([=] { return cross_entropy(x, from<int64_t>({0})).loss; }),
       {"cross_entropy", "[2, 3]", "[1]"}},
  };
}

}  // namespace headwise::testing
