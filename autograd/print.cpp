#include "headwise/autograd/print.h"

#include <charconv>
#include <cmath>
#include <ostream>

namespace headwise {
namespace {

// Which positions of an axis are shown.
class Cut {
 public:
  Cut(const Tensor& x, const PrintOptions& options)
      : shortened_(x.numel() > options.threshold), edge_(options.edge_items) {}

  /// Calls at(i) for each position shown, in order, and gap() where some are left out.
  template <class At, class Gap>
  void walk(int64_t size, At&& at, Gap&& gap) const {
    const bool cut = shortened_ && edge_ < size - edge_;
    for (int64_t i = 0; i < size; ++i) {
      if (cut && i == edge_) {
        gap();
        i = size - edge_;
      }
      at(i);
    }
  }

 private:
  bool shortened_;
  int64_t edge_;
};

template <class T>
void collect(const Tensor& x, const Cut& cut, int axis, int64_t offset, std::vector<T>& shown) {
  if (axis == x.rank()) return shown.push_back(x.pointer<const T>()[offset]);
  cut.walk(
      x.shape()[axis], [&](int64_t i) { collect(x, cut, axis + 1, offset + i * x.strides()[axis], shown); },
      [] {});
}

// A finite number cut at its point and its exponent: -1.25e+08 is "-1", "25" and "+08".
struct Digits {
  std::string whole, fraction, exponent;
};

template <class T, class... Precision>
Digits cut_digits(T value, std::chars_format notation, Precision... precision) {
  std::array<char, 128> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, notation, precision...);
  const std::string_view text(buffer.data(), static_cast<size_t>(end.ptr - buffer.data()));
  const size_t e = std::min(text.find('e'), text.size()), point = std::min(text.find('.'), e);
  Digits digits{std::string(text.substr(0, point)), "", ""};
  if (point < e) digits.fraction = text.substr(point + 1, e - point - 1);
  if (e < text.size()) digits.exponent = text.substr(e + 1);
  return digits;
}

// The fewest digits that read back as `value`, or else `precision` digits after the point without the zeros
// at their end.
template <class T>
Digits digits_of(T value, std::chars_format notation, int precision) {
  Digits digits = cut_digits(value, notation);
  if (digits.fraction.size() <= static_cast<size_t>(precision)) return digits;
  digits = cut_digits(value, notation, precision);
  digits.fraction.erase(digits.fraction.find_last_not_of('0') + 1);
  return digits;
}

template <class T>
bool wants_scientific(const std::vector<T>& values) {
  T largest = 0, smallest = std::numeric_limits<T>::infinity();
  for (const T value : values) {
    const T size = std::abs(value);
    if (!std::isfinite(size) || size == 0) continue;
    largest = std::max(largest, size);
    smallest = std::min(smallest, size);
  }
  return largest > 0 && (largest >= T(1e8) || smallest < T(1e-4) || largest / smallest > T(1000));
}

template <class T>
std::vector<std::string> words_of(const std::vector<T>& values, int precision) {
  const auto notation = wants_scientific(values) ? std::chars_format::scientific : std::chars_format::fixed;
  std::vector<Digits> numbers;
  size_t whole = 0, fraction = 0, exponent = 0, special = 0;
  for (const T value : values) {
    Digits number;
    if (std::isfinite(value)) {
      number = digits_of(value, notation, precision);
      whole = std::max(whole, number.whole.size());
    } else {
      number.whole.append(std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
      special = std::max(special, number.whole.size());
    }
    fraction = std::max(fraction, number.fraction.size());
    exponent = std::max(exponent, number.exponent.size());
    numbers.push_back(std::move(number));
  }
  // In scientific notation all show as many digits, and these are exact.
  for (size_t i = 0; exponent && i < values.size(); ++i)
    if (std::isfinite(values[i]) && numbers[i].fraction.size() < fraction)
      numbers[i] = cut_digits(values[i], notation, static_cast<int>(fraction));
  // What follows the whole part: the point, the fraction and e+XX.
  const size_t tail = 1 + fraction + (exponent ? 1 + exponent : 0);
  whole = std::max(whole + tail, special) - tail;
  std::vector<std::string> words;
  for (size_t i = 0; i < values.size(); ++i) {
    const Digits& number = numbers[i];
    if (!std::isfinite(values[i])) {
      words.push_back(fmt::format("{:>{}}", number.whole, whole + tail));
    } else if (exponent) {
      words.push_back(fmt::format("{:>{}}.{}e{}{:0>{}}", number.whole, whole, number.fraction,
                                  number.exponent[0], number.exponent.substr(1), exponent - 1));
    } else {
      words.push_back(fmt::format("{:>{}}.{:<{}}", number.whole, whole, number.fraction, fraction));
    }
  }
  return words;
}

std::vector<std::string> words_of(const std::vector<int64_t>& values, int) {
  std::vector<std::string> words;
  size_t width = 0;
  for (const int64_t value : values) {
    words.push_back(std::to_string(value));
    width = std::max(width, words.back().size());
  }
  for (std::string& word : words) word = fmt::format("{:>{}}", word, width);
  return words;
}

std::vector<std::string> words_of(const std::vector<bool>& values, int) {
  std::vector<std::string> words;
  for (const bool value : values) words.emplace_back(value ? " True" : "False");
  return words;
}

// Words between brackets, in rows that are wrapped at a width.
class Layout {
 public:
  Layout(const Tensor& x, const Cut& cut, const std::vector<std::string>& words)
      : shape_(x.shape()), cut_(cut), next_(words.begin()) {}

  /// The block of an axis; its elements stand `indent` characters in and end before column `width`.
  std::string block(int axis, size_t indent, int64_t width) {
    return axis == shape_.rank() - 1 ? row(indent, width - 1) : rows(axis, indent, width);
  }

 private:
  std::string row(size_t indent, int64_t width) {
    std::string done, line(indent, ' ');
    auto add = [&](const std::string& word) {
      if (line.size() > indent) {
        line += ", ";
        if (static_cast<int64_t>(line.size() + word.size()) > width) {
          line.back() = '\n';
          done += line;
          line.assign(indent, ' ');
        }
      }
      line += word;
    };
    cut_.walk(
        shape_.back(), [&](int64_t) { add(*next_++); }, [&] { add("..."); });
    done += line;
    return fmt::format("[{}]", std::string_view(done).substr(indent));
  }

  std::string rows(int axis, size_t indent, int64_t width) {
    std::string done;
    auto add = [&](const std::string& block) {
      if (!done.empty()) {
        done += ',';
        done.append(static_cast<size_t>(shape_.rank() - 1 - axis), '\n').append(indent, ' ');
      }
      done += block;
    };
    cut_.walk(
        shape_[axis], [&](int64_t) { add(block(axis + 1, indent + 1, width - 1)); }, [&] { add("..."); });
    return fmt::format("[{}]", done);
  }

  const Shape& shape_;
  const Cut& cut_;
  std::vector<std::string>::const_iterator next_;
};

}  // namespace

std::string to_string(const Tensor& x, const PrintOptions& options) {
  require(options.precision >= 0, "to_string: precision must be at least 0, got {}", options.precision);
  require(options.edge_items > 0, "to_string: edge_items must be at least 1, got {}", options.edge_items);
  constexpr std::string_view opening = "tensor(";
  if (!x.defined()) return fmt::format("{}undefined)", opening);
  const Cut cut(x, options);
  const std::vector<std::string> words = dispatch_any(x.dtype(), [&]<class T>() {
    std::vector<T> shown;
    if (x.numel() > 0) collect(x, cut, 0, 0, shown);
    return words_of(shown, options.precision);
  });
  std::string text(opening);
  if (x.numel() == 0) {
    text += "[]";
  } else if (x.rank() == 0) {
    text += words[0].substr(words[0].find_first_not_of(' '));
  } else {
    text += Layout(x, cut, words).block(0, opening.size() + 1, options.line_width - 1);
  }
  const std::string tail = fmt::format("shape {}, {})", x.shape(), x.dtype());
  const size_t last_line = text.size() - (text.rfind('\n') + 1);
  const bool fits = static_cast<int64_t>(last_line + 2 + tail.size()) <= options.line_width;
  return fmt::format("{},{:{}}{}", text, fits ? ' ' : '\n', fits ? 1 : opening.size() + 1, tail);
}

std::ostream& operator<<(std::ostream& out, const Tensor& x) { return out << to_string(x); }

}  // namespace headwise
