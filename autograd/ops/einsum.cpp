#include "headwise/autograd/ops/einsum.h"

#include <algorithm>
#include <array>

#include "headwise/autograd/ops/arithmetic.h"
#include "headwise/autograd/ops/matmul.h"
#include "headwise/autograd/ops/reduce.h"
#include "headwise/autograd/ops/views.h"

namespace headwise {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// A label per axis, each once: letters of the spec, and digits for the axes under "...", counted from their
// end. Held inline, so that reading a spec costs little beside a small product.
class Labels {
 public:
  bool has(char label) const { return (set_ >> number(label) & 1) != 0; }
  void append(char label) {
    text_[count_++] = label;
    set_ |= uint64_t{1} << number(label);
  }
  Labels operator+(const Labels& more) const {
    Labels sum = *this;
    for (const char label : more) sum.append(label);
    return sum;
  }
  template <class Predicate>
  Labels where(Predicate&& wanted) const {
    Labels found;
    for (const char label : *this)
      if (wanted(label)) found.append(label);
    return found;
  }
  int axis(char label) const { return static_cast<int>(std::find(begin(), end(), label) - begin()); }
  int size() const { return static_cast<int>(count_); }
  bool empty() const { return count_ == 0; }
  const char* begin() const { return text_.data(); }
  const char* end() const { return text_.data() + count_; }
  bool operator==(const Labels& other) const {
    return set_ == other.set_ && std::equal(begin(), end(), other.begin());
  }

 private:
  static int number(char label) {
    if (label <= '9') return label - '0';
    return label <= 'Z' ? 10 + label - 'A' : 36 + label - 'a';
  }

  uint64_t set_ = 0;
  size_t count_ = 0;
  std::array<char, 62> text_;
};

struct Operand {
  Tensor x;
  Labels labels;

  int64_t size(char label) const { return x.shape()[labels.axis(label)]; }
  Shape sizes(const Labels& wanted) const {
    Shape shape;
    for (const char label : wanted) shape.append(size(label));
    return shape;
  }
};

// The labels of one term of the spec, "..." replaced by `covered` digits.
Labels read_term(std::string_view spec, std::string_view term, int covered) {
  Labels labels;
  bool dots = false;
  for (size_t i = 0; i < term.size(); ++i) {
    const char c = term[i];
    if (c == ' ') continue;
    if (!dots && term.substr(i, 3) == "...") {
      for (int axis = covered; axis > 0; --axis) labels.append(static_cast<char>('0' + axis));
      dots = true;
      i += 2;
      continue;
    }
    require(is_letter(c), "einsum: \"{}\" holds '{}': expected letters, one \"...\" per term, ',' and \"->\"",
            spec, c);
    require(!labels.has(c), "einsum: \"{}\" holds '{}' twice in the term \"{}\"; diagonals are not taken",
            spec, c, term);
    labels.append(c);
  }
  return labels;
}

Operand read_operand(std::string_view spec, std::string_view term, const Tensor& x) {
  const auto letters = static_cast<int>(std::count_if(term.begin(), term.end(), is_letter));
  const bool dots = term.find("...") != std::string_view::npos;
  const Labels labels = read_term(spec, term, std::max(0, x.rank() - letters));
  require(dots ? letters <= x.rank() : letters == x.rank(),
          "einsum: the term \"{}\" of \"{}\" names {} axes, but its operand has shape {}", term, spec,
          letters, x.shape());
  return {x, labels};
}

// The labels of the result: as written, or else those that occur once, "..." first.
Labels read_result(std::string_view spec, std::string_view terms, const Labels& all) {
  const int covered = all.where([](char label) { return !is_letter(label); }).size();
  if (terms.size() < spec.size()) {
    const Labels result = read_term(spec, spec.substr(terms.size() + 2), covered);
    for (const char label : result)
      require(all.has(label), "einsum: the result of \"{}\" asks for '{}', which no operand has", spec,
              label);
    return result;
  }
  Labels once = read_term(spec, "...", covered);
  for (char label = 'A'; label <= 'z'; ++label)
    if (is_letter(label) && std::count(terms.begin(), terms.end(), label) == 1) once.append(label);
  return once;
}

// The axes of x in the order of `wanted`, which holds the same labels.
Tensor in_order(const Operand& operand, const Labels& wanted) {
  if (operand.labels == wanted) return operand.x;
  std::array<int, max_rank> axes{};
  std::transform(wanted.begin(), wanted.end(), axes.begin(),
                 [&](char label) { return operand.labels.axis(label); });
  return permute(operand.x, {axes.data(), static_cast<size_t>(wanted.size())});
}

Tensor shaped(const Tensor& x, const Shape& shape) { return x.shape() == shape ? x : x.reshape(shape); }

// Sums over the axes whose labels are not wanted, and drops them.
template <class Predicate>
void keep_only(Operand& operand, Predicate&& wanted) {
  if (std::all_of(operand.labels.begin(), operand.labels.end(), wanted)) return;
  const Labels kept = operand.labels.where(wanted);
  Shape ones = operand.x.shape();
  for (const char label : operand.labels)
    if (!kept.has(label)) ones[operand.labels.axis(label)] = 1;
  operand = {shaped(sum_to(operand.x, ones), operand.sizes(kept)), kept};
}

// Drops the axes of size 1 that the other operand broadcasts.
void drop_broadcast(Operand& own, const Operand& other) {
  keep_only(own, [&](char label) {
    return own.size(label) != 1 || !other.labels.has(label) || other.size(label) == 1;
  });
}

// Sums over the axes that only this operand has and the result lacks.
void sum_alone(Operand& own, const Operand& other, const Labels& result) {
  keep_only(own, [&](char label) { return other.labels.has(label) || result.has(label); });
}

// For an elementwise product: the axes in the order of `wanted`, of size 1 where the operand lacks one.
Tensor spread(const Operand& operand, const Labels& wanted) {
  Shape shape;
  for (const char label : wanted) shape.append(operand.labels.has(label) ? operand.size(label) : 1);
  const Labels own = wanted.where([&](char label) { return operand.labels.has(label); });
  return shaped(in_order(operand, own), shape);
}

Shape joined(Shape lead, std::initializer_list<int64_t> sizes) {
  for (const int64_t size : sizes) lead.append(size);
  return lead;
}

// (batch, left, summed) x (batch, summed, right); an elementwise product, summed, where such matrices would
// be numbers or single rows and columns.
Tensor contract(const Operand& a, const Operand& b, const Labels& result) {
  auto in_both = [&](char label) { return b.labels.has(label); };
  const Labels summed = a.labels.where([&](char label) { return in_both(label) && !result.has(label); });
  const Labels batch = a.labels.where([&](char label) { return in_both(label) && result.has(label); });
  const Labels left = a.labels.where([&](char label) { return !in_both(label); });
  const Labels right = b.labels.where([&](char label) { return !a.labels.has(label); });
  if (summed.empty() || (left.empty() && right.empty())) {
    const Labels all = result + summed;
    Operand product{spread(a, all) * spread(b, all), all};
    keep_only(product, [&](char label) { return result.has(label); });
    return product.x;
  }
  const Shape lead = a.sizes(batch), rows = a.sizes(left), columns = b.sizes(right);
  const int64_t m = rows.numel(), k = a.sizes(summed).numel(), n = columns.numel();
  const Tensor product = matmul(shaped(in_order(a, batch + left + summed), joined(lead, {m, k})),
                                shaped(in_order(b, batch + summed + right), joined(lead, {k, n})));
  Shape shape = lead;
  for (const Shape& part : {rows, columns})
    for (const int64_t size : part) shape.append(size);
  return in_order({shaped(product, shape), batch + left + right}, result);
}

}  // namespace

Tensor einsum(std::string_view spec, const Tensor& x) {
  const std::string_view terms = spec.substr(0, spec.find("->"));
  require(terms.find(',') == std::string_view::npos, "einsum: \"{}\" wants more than one operand", spec);
  Operand operand = read_operand(spec, terms, x);
  const Labels result = read_result(spec, terms, operand.labels);
  keep_only(operand, [&](char label) { return result.has(label); });
  return in_order(operand, result);
}

Tensor einsum(std::string_view spec, const Tensor& given_a, const Tensor& given_b) {
  const std::string_view terms = spec.substr(0, spec.find("->"));
  const size_t comma = terms.find(',');
  require(comma != std::string_view::npos && terms.find(',', comma + 1) == std::string_view::npos,
          "einsum: \"{}\" does not want two operands", spec);
  require_same_dtype("einsum", given_a, given_b);
  require_floating("einsum", given_a);
  Operand a = read_operand(spec, terms.substr(0, comma), given_a),
          b = read_operand(spec, terms.substr(comma + 1), given_b);
  for (const char label : a.labels)
    if (b.labels.has(label) && a.size(label) != b.size(label) && a.size(label) != 1 && b.size(label) != 1)
      fail("einsum: in \"{}\" {} has size {} in shape {} and {} in shape {}; sizes must agree or be 1", spec,
           is_letter(label) ? fmt::format("'{}'", label) : "an axis under \"...\"", a.size(label),
           a.x.shape(), b.size(label), b.x.shape());
  const Labels all = a.labels + b.labels.where([&](char label) { return !a.labels.has(label); });
  const Labels result = read_result(spec, terms, all);
  require(result.size() <= max_rank, "einsum: the result of \"{}\" has {} axes, at most {} are supported",
          spec, result.size(), max_rank);
  drop_broadcast(a, b);
  drop_broadcast(b, a);
  sum_alone(a, b, result);
  sum_alone(b, a, result);
  return contract(a, b, result);
}

Tensor outer(const Tensor& a, const Tensor& b) {
  require(a.rank() == 1 && b.rank() == 1, "outer: expected one axis each, got shapes {} and {}", a.shape(),
          b.shape());
  require_same_dtype("outer", a, b);
  return a.unsqueeze(1) * b;
}

}  // namespace headwise
