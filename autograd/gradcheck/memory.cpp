#include "headwise/autograd/gradcheck/memory.h"

#include <algorithm>
#include <cstring>

namespace headwise::checking {
namespace {

// Where the elements lie, in order of address.
std::vector<const std::byte*> addresses(const Tensor& x) {
  std::vector<const std::byte*> found{x.data()->data};
  if (x.numel() == 0) found.clear();
  for (int axis = 0; axis < x.rank() && !found.empty(); ++axis) {
    const size_t before = found.size();
    const int64_t stride = x.strides()[axis] * static_cast<int64_t>(size_of(x.dtype()));
    for (int64_t i = 1; i < x.shape()[axis]; ++i)
      for (size_t k = 0; k < before; ++k) found.push_back(found[k] + i * stride);
  }
  std::sort(found.begin(), found.end());
  return found;
}

bool meet(const std::vector<const std::byte*>& a, const std::vector<const std::byte*>& b) {
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
    if (*x == *y) return true;
    *x < *y ? ++x : ++y;
  }
  return false;
}

}  // namespace

std::string shared_memory(const std::vector<Tensor>& inputs, size_t i,
                          const std::vector<std::string>& names) {
  const auto own = addresses(inputs[i]);
  std::string text;
  if (std::adjacent_find(own.begin(), own.end()) != own.end())
    text = fmt::format("elements share memory: they were checked as {} elements of their own, on a copy",
                       inputs[i].numel());
  for (size_t j = 0; j < inputs.size(); ++j) {
    if (j == i || inputs[j].data()->storage.get() != inputs[i].data()->storage.get()) continue;
    if (!meet(own, addresses(inputs[j]))) continue;
    if (!text.empty()) text += "; ";
    text +=
        fmt::format("shares memory with {}: both were checked as tensors of their own, on copies", names[j]);
  }
  return text;
}

}  // namespace headwise::checking
