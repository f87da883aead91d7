#include "headwise/study/task.h"

#include <cmath>

#include "headwise/layers/init.h"
#include "headwise/study/tasks/conllu_task.h"
#include "headwise/study/tasks/two_relations.h"
#include "headwise/study/tasks/two_relations_regression.h"

namespace headwise::study {

Init parse_init(const std::string& name) {
  for (const Init init : {Init::random, Init::tied, Init::tied_qkv})
    if (name == name_of(init)) return init;
  fail("init: '{}' is unknown; choose random, tied or tied-qkv", name);
}

const char* name_of(Init init) {
  switch (init) {
    case Init::random:
      return "random";
    case Init::tied:
      return "tied";
    case Init::tied_qkv:
      return "tied-qkv";
  }
  return "";
}

ShownSentence shown_sentence(std::string title, std::vector<std::string> words, const Tensor& positions,
                             const Tensor& weights) {
  ShownSentence shown{std::move(title), std::move(words), positions.to_vector<int64_t>(), {}};
  for (int64_t head = 0; head < weights.size(1); ++head)
    shown.weights.push_back(weights.select(1, head).to(f64).to_vector<double>());
  return shown;
}

const std::vector<TaskEntry>& task_entries() {
  static const std::vector<TaskEntry> entries = {
      {"two-relations", "a sentence of eight nouns: report the attributes of its subject and of its object",
       make_two_relations},
      {"two-relations-regression", "the same with real-valued contents and a linear read-out",
       make_two_relations_regression},
      {"conllu", "verbs in real sentences: report the words of their subject and object (--train, --dev)",
       make_conllu_task},
  };
  return entries;
}

std::unique_ptr<Task> make_task(const std::string& name, const TaskOptions& options) {
  std::string known;
  for (const TaskEntry& entry : task_entries()) {
    if (entry.name == name) return entry.make(options);
    known += " " + entry.name;
  }
  fail("task: '{}' is unknown; the tasks are{}", name, known);
}

MultiHeadAttention make_attention(int64_t d_model, int64_t heads, Init init, Rng& rng) {
  MultiHeadAttention attention({.d_model = d_model, .heads = heads}, rng);
  for (Tensor* matrix : {&attention.W_Q, &attention.W_K, &attention.W_V, &attention.W_O})
    *matrix = parameter(normal({d_model, d_model}, 1 / std::sqrt(static_cast<double>(d_model)), rng));
  if (init == Init::tied) tie_heads(attention, TiedHeads::all);
  if (init == Init::tied_qkv) tie_heads(attention, TiedHeads::query_key_value);
  return attention;
}

}  // namespace headwise::study
