// What the two-relations tasks share: sentences whose nouns carry a case, one subject and one object each.
#pragma once

#include <vector>

#include "headwise/autograd/rng.h"
#include "headwise/autograd/tensor.h"

namespace headwise::study {

inline constexpr int64_t sentence_length = 8;

enum Case : int64_t { nominative, accusative, oblique };
inline constexpr int64_t case_count = 3;
inline constexpr const char* case_names[] = {"NOM", "ACC", "OBL"};

/// The cases of a batch of sentences.
struct Cases {
  Tensor of_token;   // (B, T) of i64: the case of each noun
  Tensor positions;  // (B, 2) of i64: where the subject and the object stand
};

/// Subject and object at two different random positions, the oblique case elsewhere.
Cases draw_cases(int64_t batch, Rng& rng);

/// The rows of `tokens` (B, T, ...) at `positions` (B, R): (B, R, ...).
Tensor rows_at(const Tensor& tokens, const Tensor& positions);

}  // namespace headwise::study
