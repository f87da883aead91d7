// Random numbers: the published bits, the right moments, and sequences that resume where they stopped.
#include <array>
#include <set>

#include "tests/support/tensors.h"

namespace headwise::testing {
namespace {

using Words = std::array<uint32_t, 4>;

// Philox4x32-10 as in the paper, written out.
Words philox(Words c, std::array<uint32_t, 2> k) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t p0 = uint64_t{0xD2511F53} * c[0], p1 = uint64_t{0xCD9E8D57} * c[2];
    c = {static_cast<uint32_t>(p1 >> 32) ^ c[1] ^ k[0], static_cast<uint32_t>(p1),
         static_cast<uint32_t>(p0 >> 32) ^ c[3] ^ k[1], static_cast<uint32_t>(p0)};
    k = {k[0] + 0x9E3779B9u, k[1] + 0xBB67AE85u};
  }
  return c;
}

uint32_t low(uint64_t x) { return static_cast<uint32_t>(x); }
uint32_t high(uint64_t x) { return static_cast<uint32_t>(x >> 32); }

struct Moments {
  double mean = 0, variance = 0, skew = 0, kurtosis = 0;
};
Moments moments(const std::vector<double>& x) {
  Moments m;
  const auto n = static_cast<double>(x.size());
  for (const double v : x) m.mean += v / n;
  for (const double v : x) {
    const double d = v - m.mean;
    m.variance += d * d / n;
    m.skew += d * d * d / n;
    m.kurtosis += d * d * d * d / n;
  }
  return m;
}

}  // namespace

TEST_CASE("bits are those of Philox4x32-10", "[rng]") {
  // The known answers published with Random123.
  CHECK(philox({0, 0, 0, 0}, {0, 0}) == Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(philox({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}) == Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});

  for (const uint64_t seed : {uint64_t{0}, uint64_t{0x299f31d0a4093822}, ~uint64_t{0}})
    for (const uint64_t stream : {uint64_t{0}, uint64_t{0x0370734413198a2e}})
      for (const uint64_t block : {uint64_t{0}, uint64_t{1}, uint64_t{0x12345678abcdef}}) {
        const Words expected =
            philox({low(block), high(block), low(stream), high(stream)}, {low(seed), high(seed)});
        Rng rng(seed, stream);
        rng.set_position(2 * block);
        CHECK(rng.bits() == (expected[0] | uint64_t{expected[1]} << 32));
        CHECK(rng.bits() == (expected[2] | uint64_t{expected[3]} << 32));
        rng.set_position(2 * block);
        Words words;
        rng.fill_bits(words);
        CHECK(words == expected);
      }
}

TEST_CASE("a sequence resumes bit for bit from its position", "[rng]") {
  auto draw_some = [](Rng& rng) {
    std::vector<double> drawn(5);
    rng.fill_normal(std::span(drawn));
    drawn.push_back(rng.uniform());
    std::vector<float> singles(3);
    rng.fill_uniform(std::span(singles));
    drawn.insert(drawn.end(), singles.begin(), singles.end());
    drawn.push_back(static_cast<double>(rng.below(1000)));
    return drawn;
  };
  Rng rng(7, 3);
  draw_some(rng);
  const uint64_t position = rng.position();
  const auto expected = draw_some(rng);
  Rng resumed(7, 3);
  resumed.set_position(position);
  CHECK(draw_some(resumed) == expected);
  CHECK(resumed.position() == rng.position());
}

TEST_CASE("seeds, streams and labels give independent sequences", "[rng]") {
  std::set<uint64_t> first_words;
  size_t made = 0;
  auto add = [&](Rng rng) {
    first_words.insert(rng.bits());
    ++made;
  };
  for (uint64_t i = 0; i < 50; ++i) {
    add(Rng(i));
    add(Rng(1000, i + 1));
    add(Rng(0).derive("initialisation", i));
    add(Rng(0).derive("data", i));
    add(Rng(1).derive("data", i));
  }
  CHECK(first_words.size() == made);
  CHECK(Rng(5).derive("data", 2).bits() == Rng(5).derive("data", 2).bits());
  Rng used(5);
  used.bits();
  CHECK(used.derive("data", 2).bits() == Rng(5).derive("data", 2).bits());
}

TEST_CASE("uniform draws fill the interval from 0 to 1 evenly", "[rng]") {
  constexpr size_t count = 200000;
  Rng rng(11);
  std::vector<double> x(count);
  rng.fill_uniform(std::span(x));
  CHECK(*std::min_element(x.begin(), x.end()) >= 0);
  CHECK(*std::max_element(x.begin(), x.end()) < 1);
  const Moments m = moments(x);
  // Five standard errors.
  CHECK(std::abs(m.mean - 0.5) < 5 * std::sqrt(1.0 / 12 / count));
  CHECK(std::abs(m.variance - 1.0 / 12) < 5 * std::sqrt(1.0 / 180 / count));

  std::vector<float> singles(count);
  rng.fill_uniform(std::span(singles));
  CHECK(*std::max_element(singles.begin(), singles.end()) < 1);
}

TEST_CASE("normal draws have the moments of N(0, 1)", "[rng]") {
  constexpr size_t count = 200001;
  std::vector<double> x(count);
  Rng rng(12);
  rng.fill_normal(std::span(x));
  const Moments m = moments(x);
  CHECK(std::abs(m.mean) < 5 * std::sqrt(1.0 / count));
  CHECK(std::abs(m.variance - 1) < 5 * std::sqrt(2.0 / count));
  CHECK(std::abs(m.skew) < 5 * std::sqrt(15.0 / count));
  CHECK(std::abs(m.kurtosis - 3) < 5 * std::sqrt(96.0 / count));
  double neighbours = 0;
  for (size_t i = 0; i + 1 < count; ++i) neighbours += x[i] * x[i + 1] / count;
  CHECK(std::abs(neighbours) < 5 * std::sqrt(1.0 / count));

  // f32 draws are the f64 draws, rounded.
  std::vector<float> singles(count);
  Rng again(12);
  again.fill_normal(std::span(singles));
  CHECK(std::equal(x.begin(), x.end(), singles.begin(),
                   [](double d, float f) { return static_cast<float>(d) == f; }));
}

TEST_CASE("whole numbers below a bound are even, and a shuffle is a permutation", "[rng]") {
  Rng rng(13);
  std::array<int, 7> seen{};
  constexpr int draws = 70000;
  for (int i = 0; i < draws; ++i) ++seen[static_cast<size_t>(rng.below(7))];
  for (const int count : seen) CHECK(std::abs(count - draws / 7) < 5 * std::sqrt(draws * 6.0 / 49));
  CHECK(rng.below(1) == 0);
  check_error([&] { rng.below(0); }, {"below", "0"});
  check_error([&] { rng.below(-3); }, {"-3"});

  std::array<int, 4> first{};
  for (int i = 0; i < 8000; ++i) {
    std::array<int64_t, 4> items{0, 1, 2, 3};
    rng.shuffle(items);
    ++first[static_cast<size_t>(items[0])];
    std::sort(items.begin(), items.end());
    REQUIRE(items == std::array<int64_t, 4>{0, 1, 2, 3});
  }
  for (const int count : first) CHECK(std::abs(count - 2000) < 5 * std::sqrt(8000 * 3.0 / 16));
}

}  // namespace headwise::testing
