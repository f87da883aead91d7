#include "headwise/study/program/commands.h"

#include <charconv>

#include <fmt/format.h>

namespace headwise::study {

std::string seed_fault(const std::string& text) {
  uint64_t seed = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, seed);
  const bool octal = text.size() > 1 && text.front() == '0';
  if (error == std::errc() && stop == end && !octal) return {};
  return fmt::format("a seed is a whole number from 0 to 2^64 - 1, got '{}'", text);
}

}  // namespace headwise::study
