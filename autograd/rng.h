// Counter-based random numbers: a draw depends on (seed, stream, position) and on nothing else.
//
// The bits are those of Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC
// 2011), key = seed, counter = (position, stream). They are the same on every machine and for any number of
// threads; no std:: distribution, whose results differ between libraries, is used.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace headwise {

class Rng {
 public:
  explicit Rng(uint64_t seed, uint64_t stream = 0) : seed_(seed), stream_(stream) {}

  /// An independent generator named by `label`: the way to give initialisation, data and evaluation seeds of
  /// their own.
  Rng derive(std::string_view label, uint64_t index = 0) const;

  /// 64 random bits.
  uint64_t bits();
  /// Uniform on [0, 1), a multiple of 2^-53.
  double uniform();
  /// Uniform on 0 .. bound - 1; Error unless bound > 0.
  int64_t below(int64_t bound);
  /// 32 random bits each, two to a word.
  void fill_bits(std::span<uint32_t> out);
  /// Fills with uniform draws on [0, 1).
  void fill_uniform(std::span<double> out);
  /// Fills with draws from N(0, 1) by the method of Box and Muller (1958).
  void fill_normal(std::span<double> out);
  void fill_uniform(std::span<float> out);
  void fill_normal(std::span<float> out);
  /// A random order of the elements (Fisher and Yates).
  void shuffle(std::span<int64_t> items);

  uint64_t seed() const { return seed_; }
  uint64_t stream() const { return stream_; }
  /// How many 64-bit words have been drawn; setting it resumes a sequence bit for bit.
  uint64_t position() const { return position_; }
  void set_position(uint64_t position) { position_ = position; }

 private:
  std::array<uint64_t, 2> block(uint64_t index) const;
  template <class T>
  void uniform_into(std::span<T> out);
  template <class T>
  void normal_into(std::span<T> out);

  uint64_t seed_, stream_;
  uint64_t position_ = 0;
  // The block that the last single draw came from; it serves two of them.
  uint64_t drawn_block_ = ~uint64_t{0};
  std::array<uint64_t, 2> drawn_{};
};

}  // namespace headwise
