#include "headwise/study/conllu.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "headwise/autograd/error.h"
#include "tests/catch.h"

using namespace headwise::study;
using Catch::Matchers::ContainsSubstring;

namespace {

/// CoNLL-U text from a shorthand. Fields are set apart by spaces, `~` is a space inside a field, and a line
/// of three fields is ID, HEAD and DEPREL of a word that holds `form lemma X _ _ . . _ _` otherwise.
std::string conllu(const std::string& shorthand) {
  std::istringstream lines(shorthand);
  std::string result;
  for (std::string line; std::getline(lines, line); result += line + '\n') {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream stream(line);
    std::vector<std::string> fields;
    for (std::string field; std::getline(stream, field, ' ');) fields.push_back(field);
    if (fields.size() == 3)
      fields = {fields[0], "form", "lemma", "X", "_", "_", fields[1], fields[2], "_", "_"};
    line.clear();
    for (const std::string& field : fields) line += (line.empty() ? "" : "\t") + field;
    for (char& c : line)
      if (c == '~') c = ' ';
  }
  return result;
}

std::vector<Sentence> parse(const std::string& shorthand) { return parse_conllu(conllu(shorthand), "t"); }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

using Frame = std::tuple<int, int, int, int>;

std::vector<Frame> frames_of(const std::vector<Sentence>& sentences, const VerbFrameOptions& options = {}) {
  std::vector<Frame> result;
  for (const VerbFrame& frame : verb_frames(sentences, options))
    result.emplace_back(frame.sentence, frame.verb, frame.subject, frame.object);
  return result;
}

const std::filesystem::path twenty_sentences =
    std::filesystem::path(HEADWISE_TEST_DATA) / "twenty_sentences.conllu";

}  // namespace

TEST_CASE("conllu keeps every column of a word", "[study][conllu]") {
  const auto sentences =
      parse("1 Dogs dog NOUN NNS Number=Plur 2 nsubj 2:nsubj|0.1:dep SpaceAfter=No\n2 0 root\n");
  REQUIRE(sentences.size() == 1);
  const Word& word = sentences[0].words.at(0);
  CHECK(word.id == 1);
  CHECK(word.form == "Dogs");
  CHECK(word.lemma == "dog");
  CHECK(word.upos == "NOUN");
  CHECK(word.xpos == "NNS");
  CHECK(word.features == "Number=Plur");
  CHECK(word.head == 2);
  CHECK(word.relation == "nsubj");
  CHECK(word.dependencies == "2:nsubj|0.1:dep");
  CHECK(word.misc == "SpaceAfter=No");
  CHECK(sentences[0].words.at(1).head == 0);
  CHECK(sentences[0].words.at(1).misc == "_");
}

TEST_CASE("conllu reads comments, ranges and empty nodes", "[study][conllu]") {
  const auto sentences = parse(
      "# newdoc\n#sent_id=a-1\n# text =  x = y \n"
      "0.1 e0 e X XX F=1 _ _ 2:dep M=1\n0.2 e1 e _ _ _ _ _ 2:dep _\n"
      "1-2 can't _ _ _ _ _ _ _ M=2\n1 2 aux\n1.1 e2 e _ _ _ _ _ 1:dep _\n2 0 root\n"
      "3-3 wat _ _ _ Typo=Yes _ _ _ _\n3 2 obj\n3.1 e3 e _ _ _ _ _ _ _\n\n1 0 root\n");
  REQUIRE(sentences.size() == 2);
  const Sentence& sentence = sentences[0];
  CHECK(sentence.comments == std::vector<std::string>{"# newdoc", "#sent_id=a-1", "# text =  x = y "});
  CHECK(sentence.sentence_id() == "a-1");
  CHECK(sentence.text() == "x = y");
  CHECK_FALSE(sentence.metadata("newdoc").has_value());
  CHECK(sentences[1].sentence_id().empty());

  CHECK(sentence.words.size() == 3);
  REQUIRE(sentence.ranges.size() == 2);
  CHECK(sentence.ranges[0].first == 1);
  CHECK(sentence.ranges[0].last == 2);
  CHECK(sentence.ranges[0].form == "can't");
  CHECK(sentence.ranges[0].misc == "M=2");
  CHECK(sentence.ranges[1].features == "Typo=Yes");

  std::vector<std::string> empty_ids;
  for (const EmptyNode& node : sentence.empty_nodes)
    empty_ids.push_back(fmt::format("{}.{} {}", node.major_id, node.minor_id, node.form));
  CHECK(empty_ids == std::vector<std::string>{"0.1 e0", "0.2 e1", "1.1 e2", "3.1 e3"});
  const EmptyNode& node = sentence.empty_nodes.at(0);
  CHECK(node.lemma + node.upos + node.xpos + node.features + node.dependencies + node.misc ==
        "eXXXF=12:depM=1");
}

TEST_CASE("conllu accepts what real files hold", "[study][conllu]") {
  const std::string plain = conllu("# text = a b\n1 2 nsubj\n2 0 root\n\n1 0 root\n\n");
  const auto forms = [](const std::string& text) {
    std::string result;
    for (const Sentence& sentence : parse_conllu(text, "t")) {
      for (const std::string& comment : sentence.comments) result += comment + ';';
      for (const Word& word : sentence.words) result += word.form + word.misc + ' ';
      result += '/';
    }
    return result;
  };
  const std::string expected = "# text = a b;form_ form_ /form_ /";
  CHECK(forms(plain) == expected);
  CHECK(forms(replaced(plain, "\n", "\r\n")) == expected);
  CHECK(forms("\xEF\xBB\xBF" + plain) == expected);
  CHECK(forms(plain.substr(0, plain.size() - 1)) == expected);
  CHECK(forms(plain.substr(0, plain.size() - 2)) == expected);
  CHECK(forms("\n\n" + replaced(plain, "\n\n", "\n\n\n")) == expected);
  CHECK(forms("").empty());
  CHECK(forms("\xEF\xBB\xBF").empty());

  CHECK(parse("1 New~York a~b X _ _ 0 root _ A=b~c\n")[0].words[0].form == "New York");
  CHECK(parse("1 Žluťoučký 猫 X _ _ 0 root _ 😀=1\n")[0].words[0].form == "Žluťoučký");
  CHECK(parse("1 _ _ _ _ _ 0 root _ _\n")[0].words[0].form == "_");
  CHECK(parse("1 # # SYM _ _ 0 root _ _\n")[0].words[0].form == "#");
  CHECK(parse("1 x x X _ _ 0 root:emph 0:root|8.1:conj:and _\n")[0].words[0].relation == "root:emph");
  CHECK_FALSE(parse("1 _ _\n2 _ _\n")[0].words[1].head.has_value());
}

TEST_CASE("conllu refuses malformed text", "[study][conllu]") {
  struct Row {
    std::string shorthand, message;
  };
  const std::string ok = "1 0 root\n";
  const std::string range = " x _ _ _ _ _ _ _ _\n";
  const std::string empty = " x _ _ _ _ _ _ 1:dep _\n";
  const std::vector<Row> rows = {
      // fields
      {"1 a b X\n", "t:1:1: line '1\\ta\\tb\\tX': expected 10 fields separated by tabs, found 4"},
      {"# c\n" + ok + "2 a b X _ _ 1 dep _ _ _\n", "t:3:1: line '2\\ta\\tb\\tX"},
      {"1~a~b~X~_~_~0~root~_~_\n", "found 1"},
      {ok + "~\n", "t:2:1: line ' ': expected 10 fields separated by tabs, found 1"},
      {"1  b X _ _ 0 root _ _\n", "t:1:3: FORM '': expected a value, or '_' for none"},
      {"1 é b  _ _ 0 root _ _\n", "t:1:7: UPOS ''"},
      {" a b X _ _ 0 root _ _\n", "found 9"},
      {"1 ~a b X _ _ 0 root _ _\n", "t:1:3: FORM ' a': expected no blanks at the start or end"},
      {"1 a b~ X _ _ 0 root _ _\n", "t:1:5: LEMMA 'b '"},
      {"1 猫 b X _ _ 0 root _ c~\n", "t:1:22: MISC 'c '"},
      {"1 a b X~Y _ _ 0 root _ _\n", "t:1:7: UPOS 'X Y': expected no blanks in this field"},
      {"1 a b X _ A=1~ 0 root _ _\n", "t:1:11: FEATS 'A=1 '"},
      {"1 a b X _ _ ~0 root _ _\n", "HEAD ' 0': expected no blanks"},
      // bytes
      {"1 a\xFF b X _ _ 0 root _ _\n", "t:1:4: byte '\\xff': expected UTF-8 text"},
      {"1 é\xC3 b X _ _ 0 root _ _\n", "t:1:4: byte '\\xc3'"},
      {"1 \xC0\x80 b X _ _ 0 root _ _\n", "t:1:3: byte '\\xc0'"},
      {"1 \xE0\x80\x80 b X _ _ 0 root _ _\n", "byte '\\xe0'"},
      {"1 \xED\xA0\x80 b X _ _ 0 root _ _\n", "byte '\\xed'"},
      {"1 \xF0\x80\x80\x80 b X _ _ 0 root _ _\n", "byte '\\xf0'"},
      {"1 \xF4\x90\x80\x80 b X _ _ 0 root _ _\n", "byte '\\xf4'"},
      {"# caf\xE9\n" + ok, "t:1:6: byte '\\xe9'"},
      {"# \xE7\x8C", "t:1:3: byte '\\xe7'"},
      // ids
      {"2 0 root\n", "t:1:1: ID '2': expected 1: ids are consecutive from 1"},
      {ok + "3 1 dep\n", "t:2:1: ID '3': expected 2"},
      {ok + "1 1 dep\n", "t:2:1: ID '1': expected 2"},
      {ok + "\n2 0 root\n", "t:3:1: ID '2': expected 1"},
      {"x 0 root\n", "t:1:1: ID 'x': expected an integer, a range like 3-4 or an empty node like 8.1"},
      {"01 0 root\n", "ID '01'"},
      {"99999999999 0 root\n", "ID '99999999999'"},
      // ranges
      {"2-1" + range + ok, "t:1:1: ID '2-1': expected a range that does not run backwards"},
      {"1-" + range + ok, "t:1:1: ID '1-': expected a range of two integers"},
      {"-1" + range + ok, "ID '-1': expected a range of two integers"},
      {"2-3" + range + ok + "2 1 dep\n3 1 dep\n", "ID '2-3': expected a range that starts at 1"},
      {ok + "1-2" + range + "2 1 dep\n", "t:2:1: ID '1-2': expected a range that starts at 2"},
      {"1-2" + range + ok + "2-3" + range + "2 1 dep\n3 1 dep\n",
       "t:3:1: ID '2-3': expected no overlap with range 1-2"},
      {"1-2" + range + "1-3" + range + ok, "t:2:1: ID '1-3': expected no overlap with range 1-2"},
      {"1-3" + range + ok + "2 1 dep\n", "t:1:1: ID '1-3': expected a range that ends by 2, the last word"},
      {ok + "2-3" + range, "t:2:1: ID '2-3': expected a range that ends by 1"},
      {"1-2 x y _ _ _ _ _ _ _\n" + ok, "t:1:7: LEMMA 'y': expected '_' in the line of a multiword range"},
      {"1-2 x _ _ _ A=1 _ _ _ _\n" + ok, "FEATS 'A=1': expected '_'"},
      {"1-2 x _ _ _ _ 0 root _ _\n" + ok, "HEAD '0': expected '_'"},
      // empty nodes
      {"0.2" + empty + ok, "t:1:1: ID '0.2': expected 0.1 or word 1"},
      {"1.1" + empty + ok, "ID '1.1': expected 0.1 or word 1"},
      {ok + "1.1" + empty + "1.1" + empty, "t:3:1: ID '1.1': expected 1.2 or word 2"},
      {ok + "0.1" + empty, "t:2:1: ID '0.1': expected 1.1 or word 2"},
      {ok + "1.x" + empty, "ID '1.x': expected two integers like 8.1"},
      {"1-2" + range + "0.1" + empty + ok,
       "t:2:1: ID '0.1': expected word 1 right after the line of its range"},
      {ok + "1.1 x x X _ _ 1 _ _ _\n", "t:2:15: HEAD '1': expected '_' in the line of an empty node"},
      {ok + "1.1 x x X _ _ _ dep _ _\n", "DEPREL 'dep': expected '_'"},
      // sentences
      {ok + "# late\n2 1 dep\n", "t:2:1: comment '# late': expected comments only before the first word"},
      {"1-1" + range + "# late\n" + ok, "t:2:1: comment '# late'"},
      {"0.1" + empty + "# late\n" + ok, "t:2:1: comment '# late'"},
      {"# a\n# b\n\n" + ok, "t:1:1: sentence '# a': expected at least one word in it, found none"},
      {ok + "\n# tail\n", "t:3:1: sentence '# tail'"},
      {ok + "\n# tail", "t:3:1: sentence '# tail'"},
      {"0.1" + empty, "t:1:1: sentence '0.1"},
      // syntax
      {"1 x root\n", "t:1:20: HEAD 'x': expected an integer from 0 to the number of words"},
      {"1 -1 dep\n", "HEAD '-1': expected an integer from 0"},
      {"1 1.1 dep\n", "HEAD '1.1': expected an integer from 0"},
      {"1 1 dep\n", "t:1:20: HEAD '1': expected another word than the word itself"},
      {ok + "2 3 dep\n", "t:2:20: HEAD '3': expected an integer from 0 to 2"},
      {ok + "2 _ _\n", "t:2:20: HEAD '_': expected a head, because other words"},
      {"1 _ dep\n", "t:1:22: DEPREL 'dep': expected '_' exactly where HEAD is '_', and HEAD is '_'"},
      {ok + "2 1 _\n", "t:2:22: DEPREL '_': expected '_' exactly where HEAD is '_', and HEAD is '1'"},
      {"1 0 dep\n", "t:1:22: DEPREL 'dep': expected 'root' exactly where HEAD is 0"},
      {ok + "2 1 root\n", "t:2:22: DEPREL 'root': expected 'root' exactly where HEAD is 0, and HEAD is '1'"},
      {ok + "2 0 root\n", "t:2:20: HEAD '0': expected one root, and word 1 is the root"},
      {"1 2 dep\n2 1 dep\n", "t:1:20: HEAD '2': expected a root, and no word of the sentence has HEAD 0"},
      {ok + "2 3 dep\n3 4 dep\n4 3 dep\n",
       "t:3:20: HEAD '4': expected a tree, but heads run in a cycle 3 -> 4 -> 3"},
      // enhanced dependencies
      {"1 a b X _ _ 0 root root _\n",
       "t:1:20: DEPS 'root': expected pairs head:relation separated by '|', found 'root'"},
      {"1 a b X _ _ 0 root 0: _\n", "DEPS '0:'"},
      {"1 a b X _ _ 0 root :root _\n", "DEPS ':root'"},
      {"1 a b X _ _ 0 root x:root _\n", "DEPS 'x:root'"},
      {"1 a b X _ _ 0 root 1.0:root _\n", "DEPS '1.0:root'"},
      {"1 a b X _ _ 0 root 0:root| _\n", "DEPS '0:root|': expected pairs head:relation"},
      {"0.1 x _ _ _ _ _ _ dep _\n" + ok, "t:1:19: DEPS 'dep'"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.shorthand);
    CHECK_THROWS_WITH(parse(row.shorthand), ContainsSubstring(row.message));
    CHECK_THROWS_AS(parse(row.shorthand), headwise::Error);
  }
}

TEST_CASE("conllu names lines and columns alike for LF, CRLF and a byte order mark", "[study][conllu]") {
  const std::string text = conllu("# c\n1 0 root\n2 é b X _ _ 7 dep _ _\n");
  for (const std::string& variant : {text, replaced(text, "\n", "\r\n"), "\xEF\xBB\xBF" + text})
    CHECK_THROWS_WITH(parse_conllu(variant, "some file"), ContainsSubstring("some file:3:13: HEAD '7'"));
  CHECK_THROWS_WITH(parse_conllu("\xEF\xBB\xBFx", "t"), ContainsSubstring("t:1:1: line 'x'"));
}

TEST_CASE("conllu errors stay short", "[study][conllu]") {
  CHECK_THROWS_WITH(parse_conllu(std::string(100000, 'x'), "t"),
                    ContainsSubstring("xxx...': expected 10 fields"));
  std::string ring = "1 0 root\n";
  for (int i = 2; i <= 500; ++i) ring += fmt::format("{} {} dep\n", i, i == 500 ? 2 : i + 1);
  try {
    parse(ring);
    FAIL("a cycle was accepted");
  } catch (const headwise::Error& error) {
    CHECK_THAT(error.what(), ContainsSubstring("cycle 2 -> 3 -> 4") && ContainsSubstring("-> ... -> 2"));
    CHECK(std::string(error.what()).size() < 200);
  }
}

TEST_CASE("conllu reads a chain of 20,000 heads in linear time", "[study][conllu]") {
  std::string chain;
  for (int i = 1; i <= 20000; ++i)
    chain += fmt::format("{} {} {}\n", i, i == 20000 ? 0 : i + 1, i == 20000 ? "root" : "dep");
  CHECK(parse(chain)[0].words.size() == 20000);
}

TEST_CASE("read_conllu names the file it cannot read", "[study][conllu]") {
  CHECK_THROWS_WITH(read_conllu("/no/such.conllu"), ContainsSubstring("cannot open '/no/such.conllu'"));
  CHECK_THROWS_AS(read_conllu(HEADWISE_TEST_DATA), headwise::Error);

  const auto path = std::filesystem::temp_directory_path() / "headwise_conllu_test.conllu";
  std::ofstream(path, std::ios::binary) << "1\r\n";
  CHECK_THROWS_WITH(read_conllu(path), ContainsSubstring(path.string() + ":1:1: line '1'"));
  std::filesystem::remove(path);
}

TEST_CASE("verb frames: one subject that is not passive, one object", "[study][conllu]") {
  struct Row {
    std::string what, shorthand;
    std::vector<Frame> frames;
  };
  const std::string verb = "2 v v VERB _ _ 0 root _ _\n";
  const std::vector<Row> rows = {
      {"plain", "1 2 nsubj\n" + verb + "3 2 obj\n", {{0, 1, 0, 2}}},
      {"object first", "1 2 obj\n" + verb + "3 2 nsubj\n", {{0, 1, 2, 0}}},
      {"subject subtype", "1 2 nsubj:outer\n" + verb + "3 2 obj\n", {{0, 1, 0, 2}}},
      {"passive", "1 2 nsubj:pass\n" + verb + "3 2 obj\n", {}},
      {"passive subtype", "1 2 nsubj:pass:x\n" + verb + "3 2 obj\n", {}},
      {"passive is a prefix only", "1 2 nsubj:passive\n" + verb + "3 2 obj\n", {{0, 1, 0, 2}}},
      {"passive beside a subject", "1 2 nsubj\n" + verb + "3 2 obj\n4 2 nsubj:pass\n", {{0, 1, 0, 2}}},
      {"relation with that prefix", "1 2 nsubjx\n" + verb + "3 2 obj\n", {}},
      {"two subjects", "1 2 nsubj\n" + verb + "3 2 obj\n4 2 nsubj\n", {}},
      {"two objects", "1 2 nsubj\n" + verb + "3 2 obj\n4 2 obj\n", {}},
      {"object subtype", "1 2 nsubj\n" + verb + "3 2 obj:x\n", {}},
      {"object of another word", "1 2 nsubj\n" + verb + "3 1 obj\n", {}},
      {"auxiliary", "1 2 nsubj\n2 v v AUX _ _ 0 root _ _\n3 2 obj\n", {}},
      {"no syntax", "1 _ _\n2 v v VERB _ _ _ _ _ _\n", {}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    CHECK(frames_of(parse(row.shorthand)) == row.frames);
  }
}

TEST_CASE("verb frames obey their options", "[study][conllu]") {
  const auto sentences = parse("1 2 nsubj\n2 v v VERB _ _ 0 root _ _\n3 2 obj\n4 2 obl\n5 2 punct\n");
  CHECK(frames_of(sentences, {.max_words = 5}).size() == 1);
  CHECK(frames_of(sentences, {.max_words = 4}).empty());
  CHECK(frames_of(sentences, {.object = "obl"}) == std::vector<Frame>{{0, 1, 0, 3}});
  CHECK(frames_of(sentences, {.subject = "obl"}) == std::vector<Frame>{{0, 1, 3, 2}});
  CHECK_THROWS_WITH(verb_frames(sentences, {.max_words = 0}), ContainsSubstring("max_words 0"));
  CHECK_THROWS_AS(verb_frames(sentences, {.subject = ""}), headwise::Error);
  CHECK_THROWS_AS(verb_frames(sentences, {.object = ""}), headwise::Error);

  auto broken = sentences;
  broken[0].words[2].head = 6;
  CHECK_THROWS_WITH(verb_frames(broken), ContainsSubstring("head 6 is not in 0..5"));
}

TEST_CASE("the twenty sentences", "[study][conllu]") {
  const auto sentences = read_conllu(twenty_sentences);
  REQUIRE(sentences.size() == 20);
  std::size_t words = 0, ranges = 0, empty_nodes = 0;
  std::set<std::string_view> ids;
  for (const Sentence& sentence : sentences) {
    CAPTURE(sentence.sentence_id());
    words += sentence.words.size();
    ranges += sentence.ranges.size();
    empty_nodes += sentence.empty_nodes.size();
    ids.insert(sentence.sentence_id());

    // The surface tokens, joined as SpaceAfter says, are the text.
    std::string surface;
    std::size_t range = 0;
    for (std::size_t i = 0; i < sentence.words.size(); ++i) {
      const bool covered =
          range < sentence.ranges.size() && sentence.ranges[range].first == sentence.words[i].id;
      surface += covered ? sentence.ranges[range].form : sentence.words[i].form;
      if (covered) i = static_cast<std::size_t>(sentence.ranges[range++].last) - 1;
      if (sentence.words[i].misc != "SpaceAfter=No" && i + 1 < sentence.words.size()) surface += ' ';
    }
    CHECK(surface == sentence.text());
  }
  CHECK(ids.size() == 20);
  CHECK(words == 147);
  CHECK(ranges == 2);
  CHECK(empty_nodes == 1);

  std::string frames;
  for (const VerbFrame& frame : verb_frames(sentences)) {
    const Sentence& sentence = sentences[static_cast<std::size_t>(frame.sentence)];
    const auto form = [&](int i) { return sentence.words[static_cast<std::size_t>(i)].form; };
    frames += fmt::format("{} {} {} {}; ", frame.sentence + 1, form(frame.subject), form(frame.verb),
                          form(frame.object));
  }
  CHECK(frames ==
        "1 dog chased cat; 2 cat chased bird; 3 girl read book; 4 boy read letter; 5 teacher wrote letter; "
        "6 girl found ball; 7 boy carried dog; 8 teacher found bird; 9 She read letter; 10 dog ate apple; "
        "11 boy eat apple; 12 cat saw dog; 14 girl saw bird; 15 Who wrote book; 16 I read letter; "
        "17 girl opened door; 18 letters surprised teacher; 19 birds ate apples; 20 cat sees ball; "
        "20 boy carried that; ");
}

TEST_CASE("UD English EWT", "[data]") {
  const char* folder = std::getenv("HEADWISE_DATA");
  if (folder == nullptr) {
    fmt::print("skipped: HEADWISE_DATA is not set\n");
    return;
  }
  struct Row {
    std::string file;
    std::size_t sentences, words, ranges, empty_nodes, frames;
  };
  const std::vector<Row> rows = {{"train.conllu", 12544, 204577, 2614, 37, 4632},
                                 {"dev.conllu", 2001, 25147, 359, 4, 621}};
  for (const Row& row : rows) {
    CAPTURE(row.file);
    const auto sentences = read_conllu(std::filesystem::path(folder) / "ud_english_ewt" / row.file);
    std::size_t words = 0, ranges = 0, empty_nodes = 0;
    for (const Sentence& sentence : sentences) {
      words += sentence.words.size();
      ranges += sentence.ranges.size();
      empty_nodes += sentence.empty_nodes.size();
    }
    CHECK(sentences.size() == row.sentences);
    CHECK(words == row.words);
    CHECK(ranges == row.ranges);
    CHECK(empty_nodes == row.empty_nodes);
    CHECK(verb_frames(sentences).size() == row.frames);
  }
}
