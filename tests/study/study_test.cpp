// The laboratory around the training: configurations, seeds, reports.
#include "headwise/study/study.h"

#include <set>

#include "headwise/study/report/heat_map.h"
#include "headwise/study/report/study_json.h"
#include "headwise/study/report/table.h"
#include "tests/support/tensors.h"

namespace headwise::testing {

using namespace study;

namespace {

StudyConfig small() {
  StudyConfig config;
  config.heads = {1, 2};
  config.inits = {Init::random, Init::tied};
  config.task_options.batch = 8;
  config.seeds = 2;
  config.tied_seeds = 1;
  config.steps = 20;
  return config;
}

Study run(const StudyConfig& config) {
  return run_study(config, [](double) {});
}

}  // namespace

TEST_CASE("arms are heads crossed with inits, and one head has nothing to tie", "[study]") {
  const Study study = run(small());
  REQUIRE(study.arms.size() == 3);
  CHECK(study.arms[0].name() == "h=1");
  CHECK(study.arms[1].name() == "h=2");
  CHECK(study.arms[2].name() == "h=2 tied");
  CHECK(study.arms[1].starts.size() == 2);
  CHECK(study.arms[2].starts.size() == 1);
  CHECK(study.arms[2].starts[0].head_difference == 0.0);
  CHECK(study.arms[1].starts[0].head_difference > 0.0);
  for (const auto& role : study.arms[0].starts[0].roles) CHECK_FALSE(role);
  for (const auto& role : study.arms[2].starts[0].roles) CHECK_FALSE(role);
  CHECK(study.arms[1].starts[0].roles[0] != study.arms[1].starts[0].roles[1]);
}

TEST_CASE("no figure depends on how many starts train at once", "[study]") {
  StudyConfig config = small();
  config.jobs = 1;
  const auto one = to_json(run(config));
  config.jobs = 3;
  CHECK(to_json(run(config)).dump() == one.dump());
}

TEST_CASE("seeds are paired over arms and differ over starts", "[study]") {
  std::set<uint64_t> init, data, evaluation;
  for (int64_t i = 0; i < 100; ++i) {
    const Seeds seeds = seeds_of_start(7, i);
    init.insert(seeds.init);
    data.insert(seeds.data);
    evaluation.insert(seeds.evaluation);
    CHECK(seeds.init < uint64_t{1} << 53);
  }
  CHECK(init.size() == 100);
  CHECK(data.size() == 100);
  CHECK(evaluation.size() == 1);
  const Study study = run(small());
  CHECK(study.arms[0].starts[1].seeds.data == study.arms[1].starts[1].seeds.data);
}

TEST_CASE("study.json holds what is needed to repeat and to read a study", "[study]") {
  const Study study = run(small());
  const auto json = to_json(study);
  CHECK(json["task"] == "two-relations");
  CHECK(json["relations"].dump() == R"(["subject","object"])");
  for (const char* key : {"version", "compiler", "seed", "steps", "lr", "d_model", "heads", "init"}) {
    CAPTURE(key);
    CHECK(json["config"].contains(key));
  }
  const auto& start = json["arms"][1]["seeds"][0];
  for (const char* key : {"init_seed", "data_seed", "eval_seed", "steps", "final_loss", "status", "metrics",
                          "relation_scores", "roles"}) {
    CAPTURE(key);
    CHECK(start.contains(key));
  }
  CHECK(start["relation_scores"].size() == 2);
  CHECK(start["relation_scores"][0].size() == 2);
  CHECK(json["arms"][0]["seeds"][0]["roles"]["subject"].is_null());
  CHECK(json["arms"][1]["summary"]["accuracy"]["n"] == 2);
  CHECK(json["arms"][1]["summary"]["solved"]["interval"].size() == 2);
}

TEST_CASE("tables and heat maps show every start, head and word", "[study]") {
  const Study study = run(small());
  const std::string table = study_table(study), sentence = sentence_table(study);
  CHECK_THAT(table, Catch::Matchers::ContainsSubstring("h=2 tied (1 starts"));
  CHECK_THAT(table, Catch::Matchers::ContainsSubstring("exactly tied"));
  CHECK_THAT(table, Catch::Matchers::ContainsSubstring("became the subject head in"));
  CHECK_THAT(sentence, Catch::Matchers::ContainsSubstring("<- subject"));
  const std::string svg =
      heat_map_svg("a & b", {"small cat", "<dog>"}, {{"head 0", {0.25, 0.75}}}, {"subject", ""});
  for (const char* part :
       {"a &amp; b", ">small<", ">cat<", "&lt;dog&gt;", ">0.25<", ">0.75<", ">subject<", "</svg>"}) {
    CAPTURE(part);
    CHECK_THAT(svg, Catch::Matchers::ContainsSubstring(part));
  }
  const auto folder = std::filesystem::temp_directory_path() / "headwise_study_test";
  std::filesystem::remove_all(folder);
  CHECK(write_heat_maps(study, folder) == 6);  // 1 + 2 + 2 heads, and one of all
  CHECK(std::filesystem::exists(folder / "attention_h2_tied_head1_sentence1.svg"));
  std::filesystem::remove_all(folder);
}

TEST_CASE("a bad configuration is refused before anything is trained", "[study]") {
  auto refused = [](auto change, std::initializer_list<const char*> words) {
    StudyConfig config = small();
    change(config);
    check_error([&] { run(config); }, words);
  };
  refused([](auto& c) { c.task = "chess"; }, {"chess", "two-relations", "conllu"});
  refused([](auto& c) { c.heads = {3}; }, {"3", "32"});
  refused([](auto& c) { c.heads = {0}; }, {"heads = 0"});
  refused([](auto& c) { c.heads = {}; }, {"heads"});
  refused([](auto& c) { c.seeds = 0; }, {"seeds"});
  refused([](auto& c) { c.steps = 0; }, {"steps", "0"});
  refused([](auto& c) { c.lr = -1; }, {"lr", "-1"});
  refused([](auto& c) { c.task_options.batch = 0; }, {"batch"});
  refused([](auto& c) { c.task_options.d_model = -4; }, {"d_model", "-4"});
  refused([](auto& c) { c.task = "conllu"; }, {"--train", "--dev"});
  check_error([] { parse_init("rotated"); }, {"rotated", "tied-qkv"});
}

}  // namespace headwise::testing
