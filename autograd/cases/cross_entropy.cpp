#include "headwise/autograd/cases/families.h"

namespace headwise::cases {

std::vector<OpCase> cross_entropy_cases(Rng& rng) {
  const Tensor targets = integers({2, 0, 1}, {3});
  return {
      {"cross_entropy",
       "mean",
       [targets](const Args& x) { return cross_entropy(x[0], targets).loss; },
       {normal({3, 4}, rng)}},
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
       {normal({3, 3}, rng)}},
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
       {normal({3, 3}, rng)}},
  };
}

}  // namespace headwise::cases
