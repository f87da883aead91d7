// The headwise program as it is run from a shell.
#include <array>
#include <cstdio>
#include <set>
#include <string>

#include <nlohmann/json.hpp>
#include <sys/wait.h>

#include "headwise/autograd/cases/cases.h"
#include "tests/catch.h"

namespace headwise::testing {
namespace {

struct Run {
  int exit_code;
  std::string text;
};

/// What the program prints to standard output, or where `redirections` send it.
Run run(const std::string& arguments, const std::string& redirections = "2>/dev/null") {
  const std::string line = std::string(HEADWISE_PROGRAM) + " " + arguments + " " + redirections;
  FILE* pipe = popen(line.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string text;
  std::array<char, 4096> block{};
  while (const size_t count = std::fread(block.data(), 1, block.size(), pipe))
    text.append(block.data(), count);
  return {WEXITSTATUS(pclose(pipe)), text};
}

std::string without_seconds(nlohmann::json list) {
  for (auto& entry : list) entry.erase("seconds");
  return list.dump();
}

}  // namespace

TEST_CASE("every op and layer is right, as a list that programs can read", "[program]") {
  const Run found = run("gradcheck --json");
  CHECK(found.exit_code == 0);
  const auto list = nlohmann::json::parse(found.text);
  std::set<std::string> ops;
  for (const auto& entry : list) {
    CAPTURE(entry.dump());
    CHECK(entry.size() == 6);
    CHECK(entry.at("verdict") == "right");
    CHECK(entry.at("worst_relative_error").is_number());
    CHECK(entry.at("elements").is_number_integer());
    CHECK(entry.at("seconds").get<double>() >= 0);
    if (entry.at("kind") == "op")
      ops.insert(entry.at("name").get<std::string>());
    else
      CHECK(entry.at("kind") == "layer");
  }
  std::set<std::string> expected(std::begin(op_names), std::end(op_names));
  expected.insert(std::begin(cases::composed_names), std::end(cases::composed_names));
  CHECK(ops == expected);
}

TEST_CASE("one op and one layer are checked alone", "[program]") {
  const Run found = run("gradcheck --op softmax --layer Linear --second-order");
  CHECK(found.exit_code == 0);
  CHECK_THAT(found.text, Catch::Matchers::ContainsSubstring("\nsoftmax "));
  CHECK_THAT(found.text, Catch::Matchers::ContainsSubstring("\nLinear "));
  CHECK_THAT(found.text, Catch::Matchers::ContainsSubstring("1 op and 1 layer: all right"));
  CHECK_THAT(found.text, !Catch::Matchers::ContainsSubstring("log_softmax"));
}

TEST_CASE("a seed decides every figure", "[program]") {
  for (const char* mode : {"full", "directions", "taylor"}) {
    CAPTURE(mode);
    const std::string arguments = std::string("gradcheck --op tanh --json --mode ") + mode;
    const auto once = without_seconds(nlohmann::json::parse(run(arguments + " --seed 7").text));
    CHECK(without_seconds(nlohmann::json::parse(run(arguments + " --seed 7").text)) == once);
    CHECK(without_seconds(nlohmann::json::parse(run(arguments + " --seed 8").text)) != once);
  }
}

TEST_CASE("wrong usage is told and exits with 2", "[program]") {
  const std::string errors_alone = "2>&1 >/dev/null";
  const Run unknown = run("gradcheck --op sofmax", errors_alone);
  CHECK(unknown.exit_code == 2);
  CHECK_THAT(unknown.text, Catch::Matchers::ContainsSubstring("no op 'sofmax'"));
  CHECK_THAT(unknown.text, Catch::Matchers::ContainsSubstring("log_softmax"));
  CHECK(run("gradcheck --op sofmax").text.empty());
  CHECK(run("gradcheck --layer Softmax").exit_code == 2);
  CHECK(run("gradcheck --mode half").exit_code == 2);
  CHECK(run("gradcheck softmax").exit_code == 2);
}

TEST_CASE("what would be read as another seed is refused", "[program]") {
  for (const std::string command : {"gradcheck --op exp", "study --steps 1 --seeds 1"})
    for (const std::string seed : {"-1", "18446744073709551616", "010", "1e3", "''"}) {
      CAPTURE(command, seed);
      const Run found = run(fmt::format("{} --seed {}", command, seed), "2>&1");
      CHECK(found.exit_code == 2);
      CHECK_THAT(found.text,
                 Catch::Matchers::ContainsSubstring("--seed: a seed is a whole number from 0 to"));
    }
  CHECK(run("gradcheck --op exp --seed 18446744073709551615").exit_code == 0);
}

TEST_CASE("output that cannot be written is no success", "[program]") {
  const Run found = run("gradcheck --op exp --json", "2>&1 >/dev/full");
  CHECK(found.exit_code == 2);
  CHECK_THAT(found.text, Catch::Matchers::ContainsSubstring("the output could not be written"));
}

TEST_CASE("help shows an example", "[program]") {
  const Run found = run("gradcheck --help");
  CHECK(found.exit_code == 0);
  CHECK_THAT(found.text, Catch::Matchers::ContainsSubstring("headwise gradcheck --op softmax"));
}

}  // namespace headwise::testing
