// Treebanks in the CoNLL-U format, version 2 (universaldependencies.org/format.html).
//
// The format is read in full: comments, multiword ranges (`3-4`), empty nodes (`8.1`, `0.1`), enhanced
// dependencies, spaces inside FORM, LEMMA and MISC. Line ends may be LF or CRLF, a byte order mark at the
// start is skipped, several blank lines separate sentences like one, and the newline or blank line at the end
// of the file may be missing.
//
// Text that breaks the format is refused with an Error that begins `name:line:column:`, holds the offending
// value and says what was expected. Lines and columns count from 1; the column is the position, in characters
// (code points), at which the offending field starts, or of the first bad byte where a line is not UTF-8.
//
// Syntax is a tree over the words of a sentence: every HEAD is an integer in 0..n other than the word's own
// id, exactly one HEAD is 0, DEPREL is `root` (or a subtype) there and nowhere else, and no heads form a
// cycle. A sentence may instead carry no syntax at all: HEAD and DEPREL are then `_` on every one of its
// words. Tags, features and relations are text: they are not looked up in any inventory, and DEPS is checked
// for its form `head:relation|...` only.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headwise::study {

/// One syntactic word. A field left unspecified in the file holds `_`.
struct Word {
  int id = 0;  // 1-based position in the sentence
  std::string form;
  std::string lemma;
  std::string upos;
  std::string xpos;
  std::string features;
  std::optional<int> head;  // id of the head, 0 for the root; nullopt where the sentence has no syntax
  std::string relation;
  std::string dependencies;
  std::string misc;
};

/// A surface token that covers the words `first` to `last`, such as `don't` over `do` and `n't`.
struct MultiwordRange {
  int first = 0;
  int last = 0;
  std::string form;
  std::string features;  // `_`, or `Typo=Yes`: the format allows a surface token no other feature
  std::string misc;
};

/// An elided word, present in the enhanced dependencies only: `major`.`minor` follows word `major`.
struct EmptyNode {
  int major_id = 0;
  int minor_id = 0;
  std::string form;
  std::string lemma;
  std::string upos;
  std::string xpos;
  std::string features;
  std::string dependencies;
  std::string misc;
};

struct Sentence {
  std::vector<std::string> comments;  // whole lines, `#` included
  std::vector<Word> words;            // words[i].id == i + 1
  std::vector<MultiwordRange> ranges;
  std::vector<EmptyNode> empty_nodes;

  /// The value of the first comment `# key = value`, without blanks around it; nullopt where there is none.
  /// The view lives as long as the comments do.
  std::optional<std::string_view> metadata(std::string_view key) const;

  /// `# sent_id`, or an empty view.
  std::string_view sentence_id() const { return metadata("sent_id").value_or(std::string_view()); }

  /// `# text`, or an empty view.
  std::string_view text() const { return metadata("text").value_or(std::string_view()); }
};

/// Reads a treebank file. Throws Error if the file cannot be read or breaks the format.
std::vector<Sentence> read_conllu(const std::filesystem::path& path);

/// Reads a treebank from memory; `name` stands for the file in errors.
std::vector<Sentence> parse_conllu(std::string_view text, std::string_view name);

struct VerbFrameOptions {
  int max_words = 40;             // longer sentences are left out; punctuation counts as words
  std::string subject = "nsubj";  // this relation or a subtype of it, passives (`nsubj:pass`) excepted
  std::string object = "obj";     // exactly this relation
};

/// A verb with its one subject and its one object; words are 0-based positions in `words`.
struct VerbFrame {
  int sentence = 0;
  int verb = 0;
  int subject = 0;
  int object = 0;
};

/// Every word with UPOS `VERB` that has exactly one dependent that is a subject and exactly one that is an
/// object, in text order. Further dependents do not matter, a passive subject among them. Only HEAD and
/// DEPREL are read, never the enhanced dependencies. Throws Error if max_words < 1, if a relation is empty,
/// or if a head lies outside its sentence.
std::vector<VerbFrame> verb_frames(const std::vector<Sentence>& sentences,
                                   const VerbFrameOptions& options = {});

}  // namespace headwise::study
