#include "headwise/study/conllu.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <fstream>

#include <fmt/format.h>

#include "headwise/autograd/error.h"

namespace headwise::study {
namespace {

enum Column : std::size_t { id, form, lemma, upos, xpos, features, head, relation, dependencies, misc };

constexpr std::array<std::string_view, 10> column_names = {"ID",    "FORM", "LEMMA",  "UPOS", "XPOS",
                                                           "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"};
using Fields = std::array<std::string_view, column_names.size()>;

struct Line {
  int number = 0;
  std::string_view text;
};

/// A field that can only be judged at the end of its sentence.
struct Place {
  Line line;
  std::string_view field;
};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// Bytes of the UTF-8 character at the start of non-empty `text`; 0 if it is malformed.
std::size_t character_length(std::string_view text) {
  const unsigned lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (text.size() < length || !std::all_of(text.begin() + 1, text.begin() + length, is_continuation))
    return 0;
  const unsigned second = static_cast<unsigned char>(text[1]);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool surrogate = lead == 0xED && second >= 0xA0;
  const bool too_large = lead == 0xF4 && second >= 0x90;
  return overlong || surrogate || too_large ? 0 : length;
}

/// `value` as an error quotes it: control characters and bytes that are not UTF-8 in hexadecimal, at most
/// about 60 bytes.
std::string quoted(std::string_view value) {
  std::string result = "'";
  while (!value.empty()) {
    if (result.size() > 60) return result + "...'";
    const std::size_t length = character_length(value);
    const unsigned lead = static_cast<unsigned char>(value[0]);
    if (lead == '\t')
      result += "\\t";
    else if (length == 0 || lead < 0x20 || lead == 0x7F)
      result += fmt::format("\\x{:02x}", lead);
    else
      result += value.substr(0, length);
    value.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result + "'";
}

/// A decimal integer without sign or leading zeros.
std::optional<int> parse_integer(std::string_view text) {
  int value = 0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  const bool canonical = !text.empty() && text[0] != '-' && (text[0] != '0' || text.size() == 1);
  if (!canonical || result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return value;
}

bool is_node_id(std::string_view text) {
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos) return parse_integer(text).has_value();
  return parse_integer(text.substr(0, dot)).has_value() &&
         parse_integer(text.substr(dot + 1)).value_or(0) > 0;
}

/// Whether `relation` is `wanted` or, as `nsubj:outer` is of `nsubj`, a subtype of it.
bool is_relation(std::string_view relation, std::string_view wanted) {
  return relation.starts_with(wanted) && (relation.size() == wanted.size() || relation[wanted.size()] == ':');
}

class Parser {
 public:
  explicit Parser(std::string_view name) : name_(name) {}

  std::vector<Sentence> parse(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      line_ = {line_.number + 1, text.substr(0, end)};
      text.remove_prefix(std::min(end + 1, text.size()));
      if (line_.text.ends_with('\r')) line_.text.remove_suffix(1);
      read_line();
    }
    finish_sentence();
    return std::move(sentences_);
  }

 private:
  template <class... Args>
  [[noreturn]] void refuse(const Line& line, std::string_view field, std::string_view what,
                           fmt::format_string<Args...> expected, Args&&... args) const {
    const auto before = line.text.substr(0, static_cast<std::size_t>(field.data() - line.text.data()));
    const auto column =
        before.size() -
        static_cast<std::size_t>(std::count_if(before.begin(), before.end(), is_continuation)) + 1;
    fail("{}:{}:{}: {} {}: expected {}", name_, line.number, column, what, quoted(field),
         fmt::format(expected, std::forward<Args>(args)...));
  }

  int next_id() const { return static_cast<int>(sentence_.words.size()) + 1; }

  void read_line() {
    if (line_.text.empty()) return finish_sentence();
    for (std::string_view rest = line_.text; !rest.empty();) {
      const std::size_t length = character_length(rest);
      if (length == 0) refuse(line_, rest.substr(0, 1), "byte", "UTF-8 text");
      rest.remove_prefix(length);
    }
    if (!in_sentence_) first_line_ = line_;
    in_sentence_ = true;
    if (line_.text[0] == '#') return read_comment();

    const Fields fields = split();
    if (fields[id].find('-') != std::string_view::npos) return read_range(fields);
    if (fields[id].find('.') != std::string_view::npos) return read_empty_node(fields);
    read_word(fields);
  }

  void read_comment() {
    if (!sentence_.words.empty() || !sentence_.ranges.empty() || !sentence_.empty_nodes.empty())
      refuse(line_, line_.text, "comment", "comments only before the first word of a sentence");
    sentence_.comments.emplace_back(line_.text);
  }

  Fields split() const {
    const auto count = std::count(line_.text.begin(), line_.text.end(), '\t') + 1;
    if (count != static_cast<std::ptrdiff_t>(column_names.size()))
      refuse(line_, line_.text, "line", "{} fields separated by tabs, found {}", column_names.size(), count);

    Fields fields;
    std::string_view rest = line_.text;
    for (std::size_t column = 0; column < fields.size(); ++column) {
      const std::string_view field = rest.substr(0, rest.find('\t'));
      rest.remove_prefix(std::min(field.size() + 1, rest.size()));
      if (field.empty()) refuse(line_, field, column_names[column], "a value, or '_' for none");
      if (column == form || column == lemma || column == misc) {
        if (is_blank(field.front()) || is_blank(field.back()))
          refuse(line_, field, column_names[column], "no blanks at the start or end of the field");
      } else if (std::any_of(field.begin(), field.end(), is_blank)) {
        refuse(line_, field, column_names[column], "no blanks in this field");
      }
      fields[column] = field;
    }
    return fields;
  }

  void read_word(const Fields& fields) {
    const std::optional<int> number = parse_integer(fields[id]);
    if (!number) refuse(line_, fields[id], "ID", "an integer, a range like 3-4 or an empty node like 8.1");
    if (*number != next_id()) refuse(line_, fields[id], "ID", "{}: ids are consecutive from 1", next_id());

    const std::optional<int> head_id = parse_integer(fields[head]);
    if (!head_id && fields[head] != "_")
      refuse(line_, fields[head], "HEAD", "an integer from 0 to the number of words");
    if (head_id == number) refuse(line_, fields[head], "HEAD", "another word than the word itself");
    if (head_id.has_value() == (fields[relation] == "_"))
      refuse(line_, fields[relation], "DEPREL", "'_' exactly where HEAD is '_', and HEAD is '{}'",
             fields[head]);
    if ((head_id == 0) != is_relation(fields[relation], "root"))
      refuse(line_, fields[relation], "DEPREL", "'root' exactly where HEAD is 0, and HEAD is '{}'",
             fields[head]);
    check_dependencies(fields[dependencies]);

    const auto text = [&fields](Column column) { return std::string(fields[column]); };
    sentence_.words.push_back({*number, text(form), text(lemma), text(upos), text(xpos), text(features),
                               head_id, text(relation), text(dependencies), text(misc)});
    heads_.push_back({line_, fields[head]});
  }

  void read_range(const Fields& fields) {
    const std::size_t dash = fields[id].find('-');
    const std::optional<int> first = parse_integer(fields[id].substr(0, dash));
    const std::optional<int> last = parse_integer(fields[id].substr(dash + 1));
    if (!first || !last) refuse(line_, fields[id], "ID", "a range of two integers like 3-4");
    if (*last < *first) refuse(line_, fields[id], "ID", "a range that does not run backwards");
    if (!sentence_.ranges.empty()) {
      const MultiwordRange& previous = sentence_.ranges.back();
      if (*first <= previous.last && previous.first <= *last)
        refuse(line_, fields[id], "ID", "no overlap with range {}-{}", previous.first, previous.last);
    }
    if (*first != next_id())
      refuse(line_, fields[id], "ID", "a range that starts at {}, the next word", next_id());
    for (const Column column : {lemma, upos, xpos, features, head, relation, dependencies})
      if (fields[column] != "_" && (column != features || fields[column] != "Typo=Yes"))
        refuse(line_, fields[column], column_names[column], "'_' in the line of a multiword range");

    last_range_ = {line_, fields[id]};
    sentence_.ranges.push_back(
        {*first, *last, std::string(fields[form]), std::string(fields[features]), std::string(fields[misc])});
  }

  void read_empty_node(const Fields& fields) {
    const std::size_t dot = fields[id].find('.');
    const std::optional<int> major = parse_integer(fields[id].substr(0, dot));
    const std::optional<int> minor = parse_integer(fields[id].substr(dot + 1));
    if (!major || !minor) refuse(line_, fields[id], "ID", "two integers like 8.1");
    if (!sentence_.ranges.empty() && sentence_.ranges.back().first == next_id())
      refuse(line_, fields[id], "ID", "word {} right after the line of its range", next_id());
    const bool follows =
        !sentence_.empty_nodes.empty() && sentence_.empty_nodes.back().major_id == next_id() - 1;
    const int next_minor = follows ? sentence_.empty_nodes.back().minor_id + 1 : 1;
    if (*major != next_id() - 1 || *minor != next_minor)
      refuse(line_, fields[id], "ID", "{}.{} or word {}", next_id() - 1, next_minor, next_id());
    for (const Column column : {head, relation})
      if (fields[column] != "_")
        refuse(line_, fields[column], column_names[column], "'_' in the line of an empty node");
    check_dependencies(fields[dependencies]);

    const auto text = [&fields](Column column) { return std::string(fields[column]); };
    sentence_.empty_nodes.push_back({*major, *minor, text(form), text(lemma), text(upos), text(xpos),
                                     text(features), text(dependencies), text(misc)});
  }

  void check_dependencies(std::string_view field) const {
    if (field == "_") return;
    for (std::size_t begin = 0; begin <= field.size();) {
      const std::string_view pair = field.substr(begin, field.find('|', begin) - begin);
      const std::size_t colon = pair.find(':');
      if (colon == std::string_view::npos || colon + 1 == pair.size() || !is_node_id(pair.substr(0, colon)))
        refuse(line_, field, "DEPS", "pairs head:relation separated by '|', found {}", quoted(pair));
      begin += pair.size() + 1;
    }
  }

  void finish_sentence() {
    if (!in_sentence_) return;
    const std::size_t count = sentence_.words.size();
    if (count == 0) refuse(first_line_, first_line_.text, "sentence", "at least one word in it, found none");
    if (!sentence_.ranges.empty() && sentence_.ranges.back().last >= next_id())
      refuse(last_range_.line, last_range_.field, "ID", "a range that ends by {}, the last word", count);
    check_tree();
    sentences_.push_back(std::move(sentence_));
    sentence_ = {};
    heads_.clear();
    in_sentence_ = false;
  }

  void check_tree() const {
    const std::vector<Word>& words = sentence_.words;
    if (std::none_of(words.begin(), words.end(), [](const Word& word) { return word.head.has_value(); }))
      return;
    int root = 0;
    for (const Word& word : words) {
      if (!word.head) refuse_head(word.id, "a head, because other words of the sentence have one");
      if (*word.head > static_cast<int>(words.size()))
        refuse_head(word.id, fmt::format("an integer from 0 to {}, the number of words", words.size()));
      if (*word.head != 0) continue;
      if (root != 0) refuse_head(word.id, fmt::format("one root, and word {} is the root", root));
      root = word.id;
    }
    if (root == 0) refuse_head(1, "a root, and no word of the sentence has HEAD 0");
    check_cycles();
  }

  void check_cycles() const {
    const auto head_of = [this](int number) {
      return sentence_.words[static_cast<std::size_t>(number - 1)].head.value();
    };
    // reached[i]: the word whose walk towards the root first met word i. A walk that meets itself is a cycle.
    std::vector<int> reached(sentence_.words.size() + 1, 0);
    for (const Word& start : sentence_.words) {
      int node = start.id;
      while (node != 0 && reached[static_cast<std::size_t>(node)] == 0) {
        reached[static_cast<std::size_t>(node)] = start.id;
        node = head_of(node);
      }
      if (node == 0 || reached[static_cast<std::size_t>(node)] != start.id) continue;
      std::string cycle = std::to_string(node);
      int next = head_of(node);
      for (; next != node && cycle.size() < 60; next = head_of(next)) cycle += fmt::format(" -> {}", next);
      if (next != node) cycle += " -> ...";
      refuse_head(node, fmt::format("a tree, but heads run in a cycle {} -> {}", cycle, node));
    }
  }

  [[noreturn]] void refuse_head(int number, const std::string& expected) const {
    const Place& place = heads_[static_cast<std::size_t>(number - 1)];
    refuse(place.line, place.field, "HEAD", "{}", expected);
  }

  std::string_view name_;
  std::vector<Sentence> sentences_;

  Line line_;
  Sentence sentence_;  // the one being read, like all that follows
  bool in_sentence_ = false;
  Line first_line_;
  Place last_range_;
  std::vector<Place> heads_;
};

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

std::optional<std::string_view> Sentence::metadata(std::string_view key) const {
  for (const std::string& comment : comments) {
    const std::size_t equals = comment.find('=');
    if (equals == std::string::npos) continue;
    const std::string_view line = comment;
    if (without_blanks(line.substr(1, equals - 1)) == key) return without_blanks(line.substr(equals + 1));
  }
  return std::nullopt;
}

std::vector<Sentence> parse_conllu(std::string_view text, std::string_view name) {
  return Parser(name).parse(text);
}

std::vector<Sentence> read_conllu(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  require(file.is_open(), "read_conllu: cannot open '{}'", path.string());
  std::string text;
  std::vector<char> block(std::size_t{1} << 16);
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())) || file.gcount() > 0)
    text.append(block.data(), static_cast<std::size_t>(file.gcount()));
  require(!file.bad(), "read_conllu: cannot read '{}': expected a file", path.string());
  return parse_conllu(text, path.string());
}

std::vector<VerbFrame> verb_frames(const std::vector<Sentence>& sentences, const VerbFrameOptions& options) {
  require(options.max_words >= 1, "verb_frames: max_words {} is not positive", options.max_words);
  require(!options.subject.empty() && !options.object.empty(),
          "verb_frames: subject '{}' and object '{}' must both name a relation", options.subject,
          options.object);

  struct Dependents {
    int subjects = 0, subject = 0, objects = 0, object = 0;
  };
  const std::string passive = options.subject + ":pass";
  std::vector<VerbFrame> frames;
  for (std::size_t s = 0; s < sentences.size(); ++s) {
    const std::vector<Word>& words = sentences[s].words;
    const int count = static_cast<int>(words.size());
    if (count > options.max_words) continue;

    std::vector<Dependents> dependents(words.size() + 1);  // by id of the head
    for (int i = 0; i < count; ++i) {
      const Word& word = words[static_cast<std::size_t>(i)];
      const int h = word.head.value_or(0);
      require(h >= 0 && h <= count, "verb_frames: sentence {}, word {}: head {} is not in 0..{}", s, word.id,
              h, count);
      Dependents& of_head = dependents[static_cast<std::size_t>(h)];
      if (is_relation(word.relation, options.subject) && !is_relation(word.relation, passive)) {
        ++of_head.subjects;
        of_head.subject = i;
      }
      if (word.relation == options.object) {
        ++of_head.objects;
        of_head.object = i;
      }
    }
    for (int i = 0; i < count; ++i) {
      const Dependents& own = dependents[static_cast<std::size_t>(i + 1)];
      if (words[static_cast<std::size_t>(i)].upos == "VERB" && own.subjects == 1 && own.objects == 1)
        frames.push_back({static_cast<int>(s), i, own.subject, own.object});
    }
  }
  return frames;
}

}  // namespace headwise::study
