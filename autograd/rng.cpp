#include "headwise/autograd/rng.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <Random123/philox.h>

#include "headwise/autograd/error.h"

namespace headwise {
namespace {

__extension__ typedef unsigned __int128 Wide;

constexpr double ulp53 = 0x1.0p-53;

double to_unit(uint64_t word) { return static_cast<double>(word >> 11) * ulp53; }
uint32_t low(uint64_t word) { return static_cast<uint32_t>(word); }
uint32_t high(uint64_t word) { return static_cast<uint32_t>(word >> 32); }

}  // namespace

// The label is hashed by FNV-1a; Philox itself then mixes label, index and seed.
Rng Rng::derive(std::string_view label, uint64_t index) const {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : label) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  const Rng mixer(seed_ ^ hash, stream_);
  const auto [seed, stream] = mixer.block(index);
  return Rng(seed, stream);
}

std::array<uint64_t, 2> Rng::block(uint64_t index) const {
  const r123::Philox4x32::ctr_type counter{{low(index), high(index), low(stream_), high(stream_)}};
  const r123::Philox4x32::key_type key{{low(seed_), high(seed_)}};
  const auto random = r123::Philox4x32{}(counter, key);
  return {random[0] | uint64_t{random[1]} << 32, random[2] | uint64_t{random[3]} << 32};
}

uint64_t Rng::bits() {
  const uint64_t at = position_++;
  if (at / 2 != drawn_block_) {
    drawn_block_ = at / 2;
    drawn_ = block(drawn_block_);
  }
  return drawn_[at % 2];
}

void Rng::fill_bits(std::span<uint32_t> out) {
  position_ += position_ % 2;
  for (size_t i = 0; i < out.size(); i += 4, position_ += 2) {
    const auto [first, second] = block(position_ / 2);
    const uint32_t four[] = {low(first), high(first), low(second), high(second)};
    std::copy_n(four, std::min<size_t>(4, out.size() - i), out.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

double Rng::uniform() { return to_unit(bits()); }

// Multiply-shift (Lemire 2019) without its rejection step: one word a draw, biased by less than bound / 2^64.
int64_t Rng::below(int64_t bound) {
  require(bound > 0, "below: the bound must be positive, got {}", bound);
  return static_cast<int64_t>((static_cast<Wide>(bits()) * static_cast<uint64_t>(bound)) >> 64);
}

template <class T>
void Rng::uniform_into(std::span<T> out) {
  for (T& x : out) {
    // Rounding to float may reach 1, which is outside the interval.
    x = static_cast<T>(uniform());
    if (x >= 1) x = std::nextafter(T{1}, T{0});
  }
}

template <class T>
void Rng::normal_into(std::span<T> out) {
  position_ += position_ % 2;
  for (size_t i = 0; i < out.size(); i += 2, position_ += 2) {
    const auto [first, second] = block(position_ / 2);
    const double radius = std::sqrt(-2 * std::log(to_unit(first) + ulp53));
    const double angle = 2 * std::numbers::pi * to_unit(second);
    out[i] = static_cast<T>(radius * std::cos(angle));
    if (i + 1 < out.size()) out[i + 1] = static_cast<T>(radius * std::sin(angle));
  }
}

void Rng::fill_uniform(std::span<double> out) { uniform_into(out); }
void Rng::fill_uniform(std::span<float> out) { uniform_into(out); }
void Rng::fill_normal(std::span<double> out) { normal_into(out); }
void Rng::fill_normal(std::span<float> out) { normal_into(out); }

void Rng::shuffle(std::span<int64_t> items) {
  for (size_t i = items.size(); i > 1; --i)
    std::swap(items[i - 1], items[static_cast<size_t>(below(static_cast<int64_t>(i)))]);
}

}  // namespace headwise
