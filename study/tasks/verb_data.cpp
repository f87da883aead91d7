#include "headwise/study/tasks/verb_data.h"

#include <algorithm>

#include "headwise/autograd/ops/creation.h"

namespace headwise::study {

std::string lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

// Ids follow the order of first appearance, so that they do not depend on a hash.
Vocabulary::Vocabulary(const std::vector<Sentence>& sentences, int64_t min_count) {
  std::unordered_map<std::string, int64_t> counts;
  for (const Sentence& sentence : sentences)
    for (const Word& word : sentence.words) ++counts[lower_case(word.form)];
  for (const Sentence& sentence : sentences)
    for (const Word& word : sentence.words) {
      const std::string form = lower_case(word.form);
      if (counts[form] >= min_count) ids_.try_emplace(form, size());
    }
}

int64_t Vocabulary::id_of(const std::string& form) const {
  const auto found = ids_.find(lower_case(form));
  return found == ids_.end() ? unknown : found->second;
}

std::vector<VerbExample> verb_examples(const std::vector<Sentence>& sentences, const Vocabulary& vocabulary) {
  std::vector<VerbExample> examples;
  for (const VerbFrame& frame : verb_frames(sentences, {.max_words = max_words})) {
    VerbExample example{{}, frame.verb, frame.subject, frame.object, frame.sentence};
    for (const Word& word : sentences[static_cast<size_t>(frame.sentence)].words)
      example.words.push_back(vocabulary.id_of(word.form));
    examples.push_back(std::move(example));
  }
  return examples;
}

VerbBatch make_batch(const std::vector<VerbExample>& examples, const std::vector<int64_t>& chosen) {
  size_t longest = 0;
  for (const int64_t i : chosen) longest = std::max(longest, examples[static_cast<size_t>(i)].words.size());
  const auto batch = static_cast<int64_t>(chosen.size()), length = static_cast<int64_t>(longest);
  VerbBatch result{full({batch, length}, Vocabulary::unknown, i64),
                   zeros({batch, length}, boolean),
                   empty({batch, 1}, i64),
                   empty({batch, length}, i64),
                   empty({batch, 2}, i64),
                   empty({batch, 2}, i64)};
  auto words = result.words.mutable_values<int64_t>(), verbs = result.verbs.mutable_values<int64_t>(),
       offsets = result.offsets.mutable_values<int64_t>(),
       positions = result.positions.mutable_values<int64_t>(),
       targets = result.targets.mutable_values<int64_t>();
  auto present = result.present.mutable_values<bool>();
  for (size_t b = 0; b < chosen.size(); ++b) {
    const VerbExample& example = examples[static_cast<size_t>(chosen[b])];
    for (size_t j = 0; j < longest; ++j) {
      const auto offset =
          std::clamp<int64_t>(static_cast<int64_t>(j) - example.verb, 1 - max_words, max_words - 1);
      offsets[b * longest + j] = offset + max_words - 1;
      if (j >= example.words.size()) continue;
      words[b * longest + j] = example.words[j];
      present[b * longest + j] = true;
    }
    verbs[b] = example.words[static_cast<size_t>(example.verb)];
    positions[2 * b] = example.subject;
    positions[2 * b + 1] = example.object;
    targets[2 * b] = example.words[static_cast<size_t>(example.subject)];
    targets[2 * b + 1] = example.words[static_cast<size_t>(example.object)];
  }
  return result;
}

}  // namespace headwise::study
