// The verbs of a treebank as tensors.
#pragma once

#include <memory>
#include <unordered_map>

#include "headwise/autograd/tensor.h"
#include "headwise/study/conllu.h"

namespace headwise::study {

/// Lower-cased forms seen at least a number of times in the training file; id 0 stands for all others.
class Vocabulary {
 public:
  static constexpr int64_t unknown = 0;

  Vocabulary(const std::vector<Sentence>& sentences, int64_t min_count);
  int64_t id_of(const std::string& form) const;
  int64_t size() const { return static_cast<int64_t>(ids_.size()) + 1; }

 private:
  std::unordered_map<std::string, int64_t> ids_;
};

/// One verb with its sentence, as word numbers.
struct VerbExample {
  std::vector<int64_t> words;
  int64_t verb, subject, object;  // 0-based positions in words
  int64_t sentence;
};

std::vector<VerbExample> verb_examples(const std::vector<Sentence>& sentences, const Vocabulary& vocabulary);

/// Examples padded to the longest of them. S is its length.
struct VerbBatch {
  Tensor words;      // (B, S) of i64; the unknown word in the padding
  Tensor present;    // (B, S) of bool: false in the padding
  Tensor verbs;      // (B, 1) of i64: the verb's word
  Tensor offsets;    // (B, S) of i64: position minus the verb's, shifted by max_words - 1 to start at 0
  Tensor positions;  // (B, 2) of i64: of the subject and the object
  Tensor targets;    // (B, 2) of i64: their words
};

inline constexpr int64_t max_words = 40;
inline constexpr int64_t offset_count = 2 * max_words - 1;

VerbBatch make_batch(const std::vector<VerbExample>& examples, const std::vector<int64_t>& chosen);

/// ASCII letters in lower case; other bytes of UTF-8 stay.
std::string lower_case(std::string text);

}  // namespace headwise::study
