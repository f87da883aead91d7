#include "headwise/study/report/study_json.h"

#include <fstream>

#include "headwise/study/head_metrics.h"
#include "headwise/study/report/build_info.h"

namespace headwise::study {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json config_json(const Study& study) {
  const StudyConfig& config = study.config;
  Json inits = Json::array();
  for (const Init init : config.inits) inits.push_back(name_of(init));
  Json json = {{"version", build_info::version},
               {"compiler", build_info::compiler},
               {"instruction_set", build_info::instruction_set},
               {"task", config.task},
               {"heads", config.heads},
               {"init", inits},
               {"d_model", study.d_model},
               {"batch", or_null(config.task_options.batch)},
               {"seeds", config.seeds},
               {"tied_seeds", config.tied_seeds.value_or(config.seeds)},
               {"seed", config.seed},
               {"steps", study.training.steps},
               {"lr", study.training.lr},
               {"lr_drop_at", study.training.lr_drop_at},
               {"weight_decay", study.training.weight_decay}};
  if (config.task == "two-relations-regression") {
    json["keys"] = config.task_options.keys_see_case_alone ? "case" : "all";
    json["contents"] = config.task_options.contents;
  }
  if (config.task == "conllu") {
    json["train"] = config.task_options.train.string();
    json["dev"] = config.task_options.dev.string();
  }
  return json;
}

Json start_json(const Start& start, const std::vector<std::string>& relations) {
  Json roles = Json::object();
  for (size_t r = 0; r < relations.size(); ++r) roles[relations[r]] = or_null(start.roles[r]);
  return {{"init_seed", start.seeds.init},
          {"data_seed", start.seeds.data},
          {"eval_seed", start.seeds.evaluation},
          {"steps", start.steps},
          {"final_loss", start.final_loss},
          {"status", start.status},
          {"metrics", start.evaluation.metrics},
          {"relation_scores", start.evaluation.relation_scores},
          {"roles", roles},
          {"specialisation_index", or_null(specialisation_index(start.evaluation.relation_scores))},
          {"head_difference", or_null(start.head_difference)}};
}

Json summary_json(const Summary& summary) {
  return {
      {"mean", summary.mean},
      {"sd", summary.sd},
      {"interval", summary.interval ? Json{summary.interval->low, summary.interval->high} : Json(nullptr)},
      {"n", summary.n}};
}

}  // namespace

Json to_json(const Study& study) {
  Json arms = Json::array();
  for (const Arm& arm : study.arms) {
    Json seeds = Json::array(), summary = Json::object();
    for (const Start& start : arm.starts) seeds.push_back(start_json(start, study.relations));
    for (const auto& [metric, figures] : arm.summary) summary[metric] = summary_json(figures);
    summary["solved"] = summary_json(arm.solved);
    arms.push_back({{"name", arm.name()},
                    {"heads", arm.heads},
                    {"init", name_of(arm.init)},
                    {"seeds", seeds},
                    {"summary", summary}});
  }
  return {{"task", study.config.task},
          {"relations", study.relations},
          {"config", config_json(study)},
          {"arms", arms}};
}

void write_file(const std::filesystem::path& path, const std::string& contents) {
  std::error_code error;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), error);
  const std::filesystem::path aside = path.string() + ".new";
  {
    std::ofstream file(aside, std::ios::binary);
    file << contents;
    file.flush();
    require(file.good(), "write: cannot write {}; is the folder there and writable?", path.string());
  }
  std::filesystem::rename(aside, path, error);
  require(!error, "write: cannot replace {}: {}", path.string(), error.message());
}

}  // namespace headwise::study
