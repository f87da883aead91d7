// A whole training run: a query must report the attributes of two nouns, subject (NOM) and object (ACC).
// One head has one budget of attention to split between them; two heads have one each.
#include <cmath>

#include "headwise/autograd/autograd.h"
#include "headwise/layers/layers.h"
#include "headwise/optim/optim.h"

using namespace headwise;

namespace {

enum Case : uint8_t { NOM, ACC, OBL };
constexpr int64_t nouns = 8, attributes = 4, values = 4, d_model = 32;

struct Sentences {
  Tensor words;    // (B, nouns, attributes): rows of the word table
  Tensor cases;    // (B, nouns)
  Tensor roles;    // (B, 2): where subject and object stand
  Tensor answers;  // (B, 2 attributes): the subject's values, then the object's
};

Sentences draw(int64_t batch, Rng& rng) {
  Tensor words = empty({batch, nouns, attributes}, i64), cases = full({batch, nouns}, OBL, i64);
  Tensor roles = empty({batch, 2}, i64);
  int64_t i = 0;
  for (int64_t& w : words.mutable_values<int64_t>()) w = i++ % attributes * values + rng.below(values);
  for (int64_t b = 0; b < batch; ++b) {
    std::vector<int64_t> order{0, 1, 2, 3, 4, 5, 6, 7};
    rng.shuffle(order);
    for (const Case role : {NOM, ACC}) {
      roles.select(0, b).select(0, role).fill(static_cast<double>(order[role]));
      cases.select(0, b).select(0, order[role]).fill(role);
    }
  }
  const Tensor chosen = gather(words, 1, roles.unsqueeze(-1).expand({batch, 2, attributes}));
  const Tensor answers = chosen - arange(attributes) * static_cast<double>(values);
  return {words, cases, roles, answers.view({batch, 2 * attributes})};
}

class Model : public Module {
 public:
  Model(int64_t heads, Rng& rng) : attention_({.d_model = d_model, .heads = heads}, rng) {
    const double deviation = 1 / std::sqrt(static_cast<double>(d_model));
    words_ = parameter(normal({attributes * values, d_model}, deviation, rng));
    cases_ = parameter(normal({3, d_model}, deviation, rng));
    query_ = parameter(normal({d_model}, deviation, rng));
    read_out_ = parameter(normal({2 * attributes * values, d_model}, deviation, rng));
  }

  // Logits (B, 2 attributes, values) and weights (B, h, 1, nouns).
  std::pair<Tensor, Tensor> forward(const Sentences& s) const {
    const int64_t batch = s.words.size(0);
    const Tensor e = sum(embedding(words_, s.words), {2}) + embedding(cases_, s.cases);  // (B, nouns, d)
    const Tensor query = query_.expand({batch, 1, d_model});
    const Attended attended = attention_.forward(query, e, e);
    const Tensor logits = linear(query + attended.output, read_out_);
    return {logits.view({batch, 2 * attributes, values}), attended.weights};
  }

 private:
  void members(Members& m) override {
    m.parameter("words", words_);
    m.parameter("cases", cases_);
    m.parameter("query", query_);
    m.parameter("read_out", read_out_);
    m.child("attention", attention_);
  }
  Tensor words_, cases_, query_, read_out_;
  MultiHeadAttention attention_;
};

void train(int64_t heads) {
  Rng init(1), data(2);
  Model model(heads, init);
  Adam adam(model.named_parameters(), {.lr = 3e-3});
  for (int step = 0; step < 400; ++step) {
    const Sentences s = draw(128, data);
    adam.zero_grad();
    backward(cross_entropy(model.forward(s).first, s.answers).loss);
    adam.step();
  }
  const NoGrad guard;
  const Sentences s = draw(8192, data);
  const auto [logits, weights] = model.forward(s);
  for (int64_t head = 0; head < heads; ++head) {
    const Tensor seen = gather(weights.select(1, head).squeeze(1), 1, s.roles);  // (B, 2)
    const std::vector<float> weight = mean(seen, {0}).to_vector<float>();
    fmt::print("head {}: {:.2f} on the subject, {:.2f} on the object\n", head, weight[0], weight[1]);
  }
  const Tensor right = (argmax(logits, -1) == s.answers).to(f32);
  fmt::print("h = {}: accuracy {:.3f}\n", heads, mean(right).item<float>());
}

}  // namespace

int main() {
  for (const int64_t heads : {1, 2}) train(heads);
}
