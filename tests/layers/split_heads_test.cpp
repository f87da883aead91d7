// Splitting (B, T, d_model) into heads: the right way, the wrong ways that look alike, and the way back. The
// elements are numbered, so that the test shows what each way mixes.
#include "headwise/layers/layers.h"
#include "tests/support/tensors.h"

namespace headwise::testing {
namespace {

// Element (b, t, i) holds 100 t + i (+ 10000 b): position and feature can be read off it.
Tensor numbered(int64_t B, int64_t T, int64_t d) {
  return (arange(B, f64) * 10000.0).view({B, 1, 1}) + (arange(T, f64) * 100.0).view({1, T, 1}) +
         arange(d, f64);
}

// The positions and the features that meet in one row (b, h, t) of a split.
struct Row {
  std::vector<int> positions, features;
};
Row row(const Tensor& split, int64_t h, int64_t t) {
  Row found;
  for (const double x : values(split.select(0, 0).select(0, h).select(0, t))) {
    found.positions.push_back(static_cast<int>(x) / 100 % 100);
    found.features.push_back(static_cast<int>(x) % 100);
  }
  return found;
}

using Numbers = std::vector<int>;

}  // namespace

TEST_CASE("heads are cut from the features and never from the positions", "[split]") {
  const int64_t B = 2, T = 3, h = 2, d_k = 4;
  const Tensor split = numbered(B, T, h * d_k).view({B, T, h, d_k}).transpose(1, 2);
  CHECK(split.shape() == Shape{B, h, T, d_k});
  for (int64_t head = 0; head < h; ++head)
    for (int64_t t = 0; t < T; ++t) {
      const Row r = row(split, head, t);
      const auto position = static_cast<int>(t), first = static_cast<int>(head * d_k);
      CHECK(r.positions == Numbers{position, position, position, position});
      CHECK(r.features == Numbers{first, first + 1, first + 2, first + 3});
    }
}

TEST_CASE("the layer splits its projections that way", "[split]") {
  Rng rng(1);
  const MultiHeadAttention layer({8, 2}, rng);
  const Attended a = layer.forward(randn({2, 3, 8}, rng));
  CHECK(same_bits(a.query_heads, a.query.view({2, 3, 2, 4}).transpose(1, 2)));
  CHECK(a.query_heads.data()->storage == a.query.data()->storage);
}

TEST_CASE("view(B, T h, d_k) makes h times as many positions of one head", "[split]") {
  const Tensor wrong = numbered(1, 3, 8).view({1, 6, 4}).unsqueeze(1);
  // Its neighbours along the sequence are two halves of one token.
  CHECK(row(wrong, 0, 0).positions == Numbers{0, 0, 0, 0});
  CHECK(row(wrong, 0, 1).positions == Numbers{0, 0, 0, 0});
  CHECK(row(wrong, 0, 1).features == Numbers{4, 5, 6, 7});
  CHECK(row(wrong, 0, 2).positions == Numbers{1, 1, 1, 1});
}

TEST_CASE("view(B, h, T, d_k) cuts the sequence and not the features", "[split]") {
  const Tensor wrong = numbered(1, 4, 8).view({1, 2, 4, 4});
  // Head 0 holds tokens 0 and 1 in halves, head 1 tokens 2 and 3: neither sees the other's.
  CHECK(row(wrong, 0, 0).positions == Numbers{0, 0, 0, 0});
  CHECK(row(wrong, 0, 1).positions == Numbers{0, 0, 0, 0});
  CHECK(row(wrong, 0, 1).features == Numbers{4, 5, 6, 7});
  CHECK(row(wrong, 0, 3).positions == Numbers{1, 1, 1, 1});
  CHECK(row(wrong, 1, 0).positions == Numbers{2, 2, 2, 2});
}

TEST_CASE("transpose(1, 2).view(B, h, T, d_k) turns features into positions where it is legal", "[split]") {
  const Tensor x = numbered(1, 4, 8);  // T = d_k = 4
  const Tensor wrong = x.transpose(1, 2).view({1, 2, 4, 4});
  // A row is one feature at every position, not one position with its features.
  CHECK(row(wrong, 0, 0).positions == Numbers{0, 1, 2, 3});
  CHECK(row(wrong, 0, 0).features == Numbers{0, 0, 0, 0});
  CHECK(row(wrong, 1, 2).positions == Numbers{0, 1, 2, 3});
  CHECK(row(wrong, 1, 2).features == Numbers{6, 6, 6, 6});
  CHECK_FALSE(same_bits(wrong, x.view({1, 4, 2, 4}).transpose(1, 2)));

  for (const auto& [T, h, d_k] : {std::array<int64_t, 3>{3, 2, 4}, {4, 2, 3}, {2, 3, 4}, {6, 2, 4}}) {
    CAPTURE(T, h, d_k);
    check_error(
        [&, t = T, heads = h, width = d_k] {
          numbered(1, t, heads * width).transpose(1, 2).view({1, heads, t, width});
        },
        {"view", "without copying"});
  }
}

TEST_CASE("attention over a wrong split gives another result", "[split]") {
  Rng rng(2);
  const Tensor x = randn({2, 4, 8}, rng, f64);
  auto attend = [](const Tensor& heads) { return scaled_dot_product_attention(heads, heads, heads).output; };
  const Tensor right = attend(x.view({2, 4, 2, 4}).transpose(1, 2)).transpose(1, 2).reshape({2, 4, 8});
  const Tensor cut = attend(x.view({2, 2, 4, 4})).reshape({2, 4, 8});
  const Tensor stretched = attend(x.view({2, 8, 4}).unsqueeze(1)).reshape({2, 4, 8});
  const Tensor turned = attend(x.transpose(1, 2).view({2, 2, 4, 4})).transpose(1, 2).reshape({2, 4, 8});
  for (const Tensor& wrong : {cut, stretched, turned}) CHECK(worst_error(wrong, right) > 0.01);
}

TEST_CASE("heads are merged by a view only where nothing has to move", "[split]") {
  auto merge = [](int64_t T, int64_t h) {
    return numbered(2, T, h * 4)
        .view({2, T, h, 4})
        .transpose(1, 2)
        .contiguous()
        .transpose(1, 2)
        .view({2, T, h * 4});
  };
  check_error([&] { merge(3, 2); }, {"view", "without copying", "reshape"});
  check_error([&] { merge(2, 8); }, {"view", "without copying"});
  CHECK(same_bits(merge(3, 1), numbered(2, 3, 4)));
  CHECK(same_bits(merge(1, 2), numbered(2, 1, 8)));

  // Read as they lie, (B, h, T, d_k) heads seen as (B, T, d_model) interleave positions.
  const Tensor heads = numbered(1, 2, 8).view({1, 2, 2, 4}).transpose(1, 2).contiguous();
  const Tensor wrong = heads.view({1, 2, 8}).unsqueeze(1);
  CHECK(row(wrong, 0, 0).positions == Numbers{0, 0, 0, 0, 1, 1, 1, 1});
  CHECK(same_bits(heads.transpose(1, 2).reshape({1, 2, 8}), numbered(1, 2, 8)));
}

}  // namespace headwise::testing
