// The rows of each family of ops, their inputs drawn from a generator of the family's own.
#pragma once

#include "headwise/autograd/cases/cases.h"
#include "headwise/autograd/cases/inputs.h"

namespace headwise::cases {

std::vector<OpCase> activations_cases(Rng& rng);
std::vector<OpCase> arithmetic_cases(Rng& rng);
std::vector<OpCase> bounds_cases(Rng& rng);
std::vector<OpCase> math_cases(Rng& rng);
std::vector<OpCase> power_cases(Rng& rng);
std::vector<OpCase> select_cases(Rng& rng);
std::vector<OpCase> reduce_cases(Rng& rng);
std::vector<OpCase> extremes_cases(Rng& rng);
std::vector<OpCase> statistics_cases(Rng& rng);
std::vector<OpCase> vector_norm_cases(Rng& rng);
std::vector<OpCase> cumulative_cases(Rng& rng);
std::vector<OpCase> order_cases(Rng& rng);
std::vector<OpCase> softmax_cases(Rng& rng);
std::vector<OpCase> matmul_cases(Rng& rng);
std::vector<OpCase> views_cases(Rng& rng);
std::vector<OpCase> arrange_cases(Rng& rng);
std::vector<OpCase> einsum_cases(Rng& rng);
std::vector<OpCase> indexing_cases(Rng& rng);
std::vector<OpCase> cross_entropy_cases(Rng& rng);
std::vector<OpCase> losses_cases(Rng& rng);
std::vector<OpCase> norm_cases(Rng& rng);
std::vector<OpCase> dropout_cases(Rng& rng);
std::vector<OpCase> attention_cases(Rng& rng);

}  // namespace headwise::cases
