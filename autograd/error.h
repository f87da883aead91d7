// The one exception type of headwise.
//
// A message names the op or argument, the offending value, what was expected, and a remedy where there is
// one: `softmax: axis 3 is out of range for shape [2, 4]`. Bad input is refused before any state changes.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace headwise {

class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message) : std::runtime_error(message) {}
};

/// Throws an Error whose text is formatted with fmt.
template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(fmt::format(format, std::forward<Args>(args)...));
}

/// Throws like fail() unless `condition` holds; the message is only formatted when it does not.
template <class... Args>
void require(bool condition, fmt::format_string<Args...> format, Args&&... args) {
  if (!condition) [[unlikely]]
    fail(format, std::forward<Args>(args)...);
}

}  // namespace headwise
