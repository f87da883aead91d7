// Einstein sums against sums written as plain loops over all labels.
#include <map>

#include "tests/support/tensors.h"

namespace headwise::testing {
namespace {

// Adds up the products of all elements, label by label: the definition. Terms hold one letter per axis.
Tensor by_loops(const std::vector<std::string>& terms, const std::string& result,
                const std::vector<Tensor>& given) {
  std::map<char, int64_t> sizes;
  for (size_t k = 0; k < given.size(); ++k)
    for (size_t axis = 0; axis < terms[k].size(); ++axis) {
      int64_t& size = sizes.emplace(terms[k][axis], 1).first->second;
      if (size == 1) size = given[k].size(static_cast<int>(axis));
    }
  Shape shape;
  int64_t combinations = 1;
  for (const char label : result) shape.append(sizes.at(label));
  for (const auto& [label, size] : sizes) combinations *= size;
  std::vector<double> sums(static_cast<size_t>(shape.numel()));
  std::vector<std::vector<double>> operands;
  for (const Tensor& x : given) operands.push_back(values(x));
  for (int64_t i = 0; i < combinations; ++i) {
    std::map<char, int64_t> at;
    int64_t rest = i;
    for (const auto& [label, size] : sizes) {
      at[label] = rest % size;
      rest /= size;
    }
    auto place = [&](const std::string& labels, const Shape& of) {
      int64_t offset = 0;
      for (size_t axis = 0; axis < labels.size(); ++axis) {
        const int64_t size = of[static_cast<int>(axis)];
        offset = offset * size + (size == 1 ? 0 : at[labels[axis]]);
      }
      return static_cast<size_t>(offset);
    };
    double product = 1;
    for (size_t k = 0; k < given.size(); ++k) product *= operands[k][place(terms[k], given[k].shape())];
    sums[place(result, shape)] += product;
  }
  return from_values<double>(sums, shape);
}

std::string spec_of(const std::vector<std::string>& terms, const std::string& result) {
  return (terms.size() == 2 ? terms[0] + "," + terms[1] : terms[0]) + "->" + result;
}

// A tensor of the labels' sizes, by chance with its axes in another order in memory.
Tensor operand(const std::string& labels, const std::map<char, int64_t>& sizes, Rng& rng) {
  std::vector<int> inverse(labels.size());
  std::vector<int64_t> order(labels.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int64_t>(i);
  rng.shuffle(order);
  Shape stored;
  for (size_t i = 0; i < order.size(); ++i) {
    inverse[static_cast<size_t>(order[i])] = static_cast<int>(i);
    stored.append(rng.below(6) == 0 ? 1 : sizes.at(labels[static_cast<size_t>(order[i])]));
  }
  return permute(randn(stored, rng, f64), inverse);
}

std::string drawn(const std::string& from, double share, Rng& rng) {
  std::vector<int64_t> letters;
  for (const char c : from)
    if (static_cast<double>(rng.below(100)) < 100 * share) letters.push_back(c);
  rng.shuffle(letters);
  return {letters.begin(), letters.end()};
}

}  // namespace

TEST_CASE("random einsums agree with loops over all labels", "[einsum]") {
  Rng rng(11);
  const std::map<char, int64_t> sizes{{'a', 2}, {'b', 3}, {'C', 4}, {'d', 1}, {'e', 5}};
  for (int trial = 0; trial < 300; ++trial) {
    const size_t count = trial % 3 == 0 ? 1 : 2;
    std::vector<std::string> terms;
    std::vector<Tensor> x;
    std::string all;
    for (size_t k = 0; k < count; ++k) {
      terms.push_back(drawn("abCde", 0.6, rng));
      x.push_back(operand(terms[k], sizes, rng));
      for (const char c : terms[k])
        if (all.find(c) == std::string::npos) all += c;
    }
    const std::string result = drawn(all, 0.5, rng), spec = spec_of(terms, result);
    CAPTURE(spec, to_string(x[0].shape()), to_string(x.back().shape()));
    auto run = [&](const std::vector<Tensor>& at) {
      return count == 2 ? einsum(spec, at[0], at[1]) : einsum(spec, at[0]);
    };
    const Tensor expected = by_loops(terms, result, x);
    check_close(run(x), expected, 1e-13);
    std::vector<Tensor> narrow;
    for (const Tensor& one : x) narrow.push_back(one.to(f32));
    check_close(run(narrow).to(f64), by_loops(terms, result, narrow), 1e-5);
    // The sum is linear in each operand: sum(dy y) = sum(dx x).
    std::vector<Tensor> leaves;
    for (const Tensor& one : x) leaves.push_back(one.clone().set_requires_grad(true));
    const Tensor dy = randn(expected.shape(), rng, f64);
    const auto dx = grad(std::vector{run(leaves)}, leaves, std::vector{dy});
    for (size_t k = 0; k < count; ++k) {
      CHECK(dx[k].shape() == x[k].shape());
      check_close(sum(dx[k] * x[k]), sum(dy * expected), 1e-11);
    }
  }
}

TEST_CASE("a result without an arrow has the letters that occur once, in order", "[einsum]") {
  Rng rng(12);
  const Tensor x = randn({2, 3}, rng, f64), y = randn({4, 3}, rng, f64);
  CHECK(same_bits(einsum("ba", x), x.transpose(0, 1)));
  CHECK(same_bits(einsum("kj,ij", x, y), einsum("kj,ij->ik", x, y)));
  CHECK(same_bits(einsum("aj,Bj", x, y), einsum("aj,Bj->Ba", x, y)));
  CHECK(einsum("ij,ij", x, x).rank() == 0);
  check_close(einsum("i...,j...", x, y), einsum("id,jd->dij", x, y), 1e-15);
  CHECK(same_bits(einsum(" k j , i j -> i k ", x, y), einsum("kj,ij->ik", x, y)));
}

TEST_CASE("dots stand for the axes that are not named", "[einsum]") {
  Rng rng(13);
  const Tensor x = randn({2, 3, 4, 5}, rng, f64), w = randn({5, 6}, rng, f64), b = randn({3, 1, 5}, rng, f64);
  check_close(einsum("...i,ij->...j", x, w), matmul(x, w), 1e-14);
  check_close(einsum("...i,ij", x, w), matmul(x, w), 1e-14);
  // Aligned at their ends, and broadcast.
  check_close(einsum("...i,...i->...", x, b), sum(x * b, {-1}), 1e-14);
  check_close(einsum("i...,...->i...", x, b), x * b, 1e-14);
  check_close(einsum("...ij->...ji", x), x.transpose(2, 3), 0);
  // Left out of the result, they are summed over.
  check_close(einsum("...ij->i", x), sum(x, {0, 1, 3}), 1e-14);
  check_close(einsum("i...j,jk->ik", x, w), matmul(sum(x, {1, 2}), w), 1e-14);
  // They may stand for nothing.
  check_close(einsum("...ij,jk...->i...k", x.select(0, 0).select(0, 0), w),
              matmul(x.select(0, 0).select(0, 0), w), 1e-14);
}

TEST_CASE("sums over nothing are zero, and zero-length axes stay", "[einsum]") {
  const Tensor x = zeros({2, 0}, f64), y = zeros({0, 3}, f64);
  CHECK(values(einsum("ij,jk->ik", x, y)) == std::vector<double>(6));
  CHECK(einsum("ij,kj->kij", x, x).shape() == Shape{2, 2, 0});
  CHECK(einsum("ji,ik->jk", y, ones({3, 2}, f64)).shape() == Shape{0, 2});
  CHECK(values(einsum("ij->i", x)) == std::vector<double>{0, 0});
  // A size of 1 broadcasts to 0 as to any other.
  CHECK(values(einsum("ij,ij->i", ones({2, 1}, f64), x)) == std::vector<double>{0, 0});
  const Tensor leaf = x.clone().set_requires_grad(true);
  backward(sum(einsum("ij,jk->ik", leaf, y)));
  CHECK(leaf.grad().shape() == Shape{2, 0});
}

TEST_CASE("one operand is permuted without a copy, whatever its dtype", "[einsum]") {
  const Tensor x = arange(6).view({2, 3});
  CHECK(einsum("ij->ji", x).data()->storage == x.data()->storage);
  CHECK(einsum("ij->", x).item<int64_t>() == 15);
  CHECK(einsum("->", full({}, 3, f64)).item<double>() == 3);
  CHECK(einsum(",->", full({}, 3, f64), full({}, 2, f64)).item<double>() == 6);
}

TEST_CASE("attention in two einsums", "[einsum]") {
  Rng rng(14);
  const Shape split{2, 5, 3, 4};  // (batch, token, head, d_k)
  std::vector<Tensor> x;
  for (int i = 0; i < 3; ++i) x.push_back(randn(split, rng, f64).set_requires_grad(true));
  const Tensor scores = einsum("blhd,bshd->bhls", x[0], x[1]) / 2.0;
  const Tensor ours = einsum("bhls,bshd->blhd", softmax(scores, -1), x[2]);
  const Tensor fused =
      scaled_dot_product_attention(x[0].transpose(1, 2), x[1].transpose(1, 2), x[2].transpose(1, 2))
          .output.transpose(1, 2);
  check_close(ours, fused, 1e-14);
  const Tensor cotangent = randn(split, rng, f64);
  const auto dx = grad(std::vector{ours}, x, std::vector{cotangent});
  const auto expected = grad(std::vector{fused}, x, std::vector{cotangent});
  for (size_t i = 0; i < x.size(); ++i) check_close(dx[i], expected[i], 1e-13);
}

TEST_CASE("a matrix product by einsum has the bits of matmul", "[einsum]") {
  Rng rng(15);
  const Tensor a = randn({2, 7, 33}, rng), b = randn({2, 9, 33}, rng);
  CHECK(same_bits(einsum("bik,bjk->bij", a, b), matmul(a, b.transpose(1, 2))));
  CHECK(same_bits(einsum("bik,bjk->bji", a, b), matmul(a, b.transpose(1, 2)).transpose(1, 2)));
}

TEST_CASE("outer products", "[einsum]") {
  const Tensor a = from({1.0, 2.0}), b = from({3.0, 4.0, 5.0});
  CHECK(values(outer(a, b)) == std::vector<double>{3, 4, 5, 6, 8, 10});
  CHECK(outer(a.to(i64), b.to(i64)).dtype() == i64);
  CHECK(outer(zeros({0}), ones({2})).shape() == Shape{0, 2});
}

}  // namespace headwise::testing
