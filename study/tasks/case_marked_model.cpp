#include "headwise/study/tasks/case_marked_model.h"

#include <cmath>

#include "headwise/autograd/autograd.h"
#include "headwise/layers/init.h"
#include "headwise/study/tasks/case_marked.h"

namespace headwise::study {

CaseMarkedModel::CaseMarkedModel(const CaseMarkedOptions& options, Init init, Rng& rng)
    : attention_(make_attention(options.d_model, options.heads, init, rng)) {
  const int64_t d_model = options.d_model;
  embedding_ = parameter(normal(options.embedding, options.embedding_deviation, rng));
  cases_ = parameter(normal({case_count, d_model}, options.mark_deviation, rng));
  verb_ = parameter(normal({d_model}, options.mark_deviation, rng));
  read_out_ = parameter(normal({options.outputs, d_model}, 1 / std::sqrt(static_cast<double>(d_model)), rng));
}

std::vector<ShownSentence> CaseMarkedModel::show() {
  const NoGrad guard;
  Rng rng(20);
  return {show_one(rng)};
}

CaseMarkedModel::Forward CaseMarkedModel::look(const Tensor& keys, const Tensor& tokens, const Shape& shape,
                                               bool weights) const {
  const int64_t batch = tokens.size(0), d_model = attention_.d_model();
  const Tensor query = verb_.expand({batch, 1, d_model});
  const Attended attended = attention_.forward(query, keys, tokens, {.weights = weights});
  const Tensor predictions = linear((query + attended.output).view({batch, d_model}), read_out_);
  return {predictions.view(shape), weights ? attended.weights.squeeze(2) : Tensor()};
}

void CaseMarkedModel::members(Members& m) {
  m.parameter("embedding", embedding_);
  m.parameter("cases", cases_);
  m.parameter("verb", verb_);
  m.child("attention", attention_);
  m.parameter("read_out", read_out_);
}

}  // namespace headwise::study
