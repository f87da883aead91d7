// Modules: names, values in and out, conversion, modes, shared parameters.
#include <vector>

#include "headwise/layers/layers.h"
#include "tests/support/tensors.h"

namespace headwise::testing {
namespace {

class Pair : public Module {
 public:
  explicit Pair(Rng& rng) : first({2, 3}, rng), second({3, 2, false}, rng) {}
  Linear first, second;

 private:
  void members(Members& m) override {
    m.child("first", first);
    m.child("second", second);
  }
};

class Model : public Module {
 public:
  explicit Model(Rng& rng) : embedding({5, 2}, rng), dropout(0.5, rng), head({2, 5}, rng) {
    pairs.emplace_back(rng);
    pairs.emplace_back(rng);
    head.weight = embedding.weight;
  }
  Embedding embedding;
  std::vector<Pair> pairs;
  Dropout dropout;
  Linear head;

 private:
  void members(Members& m) override {
    m.child("embedding", embedding);
    m.children("pairs", pairs);
    m.child("dropout", dropout);
    m.child("head", head);
  }
};

std::vector<std::string> names(const NamedTensors& tensors) {
  std::vector<std::string> found;
  for (const auto& entry : tensors) found.push_back(entry.first);
  return found;
}

NamedTensors copy_of(const NamedTensors& tensors) {
  NamedTensors copies;
  for (const auto& [name, x] : tensors) copies.emplace_back(name, x.clone());
  return copies;
}

bool same(const NamedTensors& a, const NamedTensors& b) {
  if (names(a) != names(b)) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (!same_bits(a[i].second, b[i].second)) return false;
  return true;
}

Model make(uint64_t seed) {
  Rng rng(seed);
  return Model(rng);
}

}  // namespace

TEST_CASE("parameters are named by the path to them, shared ones once", "[module]") {
  auto model = make(1);
  CHECK(names(model.named_parameters()) ==
        std::vector<std::string>{"embedding.weight", "pairs.0.first.weight", "pairs.0.first.bias",
                                 "pairs.0.second.weight", "pairs.1.first.weight", "pairs.1.first.bias",
                                 "pairs.1.second.weight", "head.bias"});
  CHECK(model.parameter_count() == 10 + 2 * (6 + 3 + 6) + 5);
  for (const auto& [name, p] : model.named_parameters()) {
    CAPTURE(name);
    CHECK(p.is_leaf());
    CHECK(p.requires_grad());
  }
  Rng rng(1);
  MultiHeadAttention attention({8, 2, true}, rng);
  CHECK(names(attention.named_parameters()) ==
        std::vector<std::string>{"W_Q", "W_K", "W_V", "W_O", "b_Q", "b_K", "b_V", "b_O"});
}

TEST_CASE("a state goes out and comes back", "[module]") {
  auto model = make(1), other = make(2);
  CHECK_FALSE(same(model.state_dict(), other.state_dict()));
  const NamedTensors saved = copy_of(model.state_dict());
  other.load_state_dict(saved);
  CHECK(same(other.state_dict(), saved));
  CHECK(other.head.weight.data() == other.embedding.weight.data());
  for (const auto& entry : model.state_dict()) CHECK_FALSE(entry.second.requires_grad());
  // In any order, and from strided values.
  NamedTensors shuffled(saved.rbegin(), saved.rend());
  for (auto& entry : shuffled)
    if (entry.second.rank() == 2) entry.second = entry.second.transpose(0, 1).clone().transpose(0, 1);
  auto third = make(3);
  third.load_state_dict(shuffled);
  CHECK(same(third.state_dict(), saved));
}

TEST_CASE("a state that does not fit changes nothing", "[module]") {
  auto model = make(1);
  const NamedTensors before = copy_of(model.state_dict()), good = copy_of(make(2).state_dict());
  auto refused = [&](const std::function<void(NamedTensors&)>& spoil,
                     std::initializer_list<const char*> words) {
    NamedTensors state = copy_of(good);
    spoil(state);
    check_error([&] { model.load_state_dict(state); }, words);
    CHECK(same(model.state_dict(), before));
  };
  refused([](NamedTensors& s) { s.pop_back(); }, {"load_state_dict", "missing: head.bias", "unknown: none"});
  refused([](NamedTensors& s) { s.back().first = "head.offset"; },
          {"missing: head.bias", "unknown: head.offset"});
  refused([](NamedTensors& s) { s.emplace_back("extra", zeros({1})); }, {"missing: none", "unknown: extra"});
  refused([](NamedTensors& s) { s.push_back(s.front()); }, {"given twice"});
  refused([](NamedTensors& s) { s.back().second = zeros({6}); }, {"head.bias", "[5]", "[6]"});
  refused([](NamedTensors& s) { s.back().second = zeros({5}, f64); }, {"head.bias", "f32", "f64"});
  refused([](NamedTensors& s) { s.back().second = Tensor(); }, {"head.bias", "undefined"});
}

TEST_CASE("conversion keeps values and sharing, and drops gradients", "[module]") {
  auto model = make(1);
  const NamedTensors before = copy_of(model.state_dict());
  backward(sum(model.head.forward(ones({1, 2}))));
  CHECK(model.head.bias.grad().defined());
  model.to(f64);
  for (const auto& [name, p] : model.named_parameters()) {
    CHECK(p.dtype() == f64);
    CHECK(p.requires_grad());
    CHECK_FALSE(p.grad().defined());
  }
  CHECK(model.head.weight.data() == model.embedding.weight.data());
  model.to(f32);
  CHECK(same(model.state_dict(), before));
  check_error([&] { model.to(i64); }, {"f32 or f64", "i64"});
  CHECK(same(model.state_dict(), before));
}

TEST_CASE("training and evaluation reach every child", "[module]") {
  auto model = make(1);
  CHECK(model.training());
  model.eval();
  CHECK_FALSE(model.training());
  CHECK_FALSE(model.dropout.training());
  CHECK_FALSE(model.pairs[1].second.training());
  model.pairs[1].train();
  CHECK(model.pairs[1].first.training());
  CHECK_FALSE(model.pairs[0].training());
  model.train();
  CHECK(model.dropout.training());
}

TEST_CASE("zero_grad forgets every gradient, and shared parameters collect both", "[module]") {
  auto model = make(1);
  const Tensor indices = from<int64_t>({1});
  backward(sum(model.head.forward(model.embedding.forward(indices))));
  const auto g = values(model.embedding.weight.grad());
  const auto e = values(model.embedding.weight);
  // As the output's matrix every row gets the embedded vector; as the table row 1 gets the matrix's column
  // sums.
  CHECK(g[0] == e[2]);
  CHECK(std::abs(g[2] - (e[2] + e[0] + e[2] + e[4] + e[6] + e[8])) < 1e-5);
  model.zero_grad();
  for (const auto& [name, p] : model.named_parameters()) CHECK_FALSE(p.grad().defined());
}

}  // namespace headwise::testing
