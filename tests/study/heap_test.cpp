// No heap traffic in steady state: after a few steps, training asks malloc, aligned_alloc and operator new
// for nothing, batch generation and packing buffers included.
#include <cerrno>
#include <cstdlib>

#include "headwise/layers/layers.h"
#include "headwise/optim/optim.h"
#include "headwise/study/task.h"
#include "tests/support/tensors.h"

// Every request to the heap passes here: operator new and aligned_alloc end in these.
// NOLINTBEGIN(readability-identifier-naming): glibc's names
extern "C" {
void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t bytes);
void* __libc_realloc(void* block, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);
}
// NOLINTEND(readability-identifier-naming)

namespace {
std::atomic<int64_t> heap_requests{0};
}

extern "C" {
void* malloc(size_t bytes) noexcept {
  ++heap_requests;
  return __libc_malloc(bytes);
}
void* calloc(size_t count, size_t bytes) noexcept {
  ++heap_requests;
  return __libc_calloc(count, bytes);
}
void* realloc(void* block, size_t bytes) noexcept {
  ++heap_requests;
  return __libc_realloc(block, bytes);
}
void* aligned_alloc(size_t alignment, size_t bytes) noexcept {
  ++heap_requests;
  return __libc_memalign(alignment, bytes);
}
int posix_memalign(void** block, size_t alignment, size_t bytes) noexcept {
  ++heap_requests;
  *block = __libc_memalign(alignment, bytes);
  return *block ? 0 : ENOMEM;
}
}

namespace headwise::testing {
namespace {

template <class Step>
int64_t requests_of_ten_steps(Step&& step) {
  for (int i = 0; i < 5; ++i) step();
  const int64_t before = heap_requests;
  for (int i = 0; i < 10; ++i) step();
  return heap_requests - before;
}

}  // namespace

TEST_CASE("the count sees every way of asking the heap", "[heap]") {
  const int64_t before = heap_requests;
  for (void* block : {std::malloc(10), std::aligned_alloc(64, 128), ::operator new(10)}) std::free(block);
  ::operator delete (::operator new (100, std::align_val_t{64}), std::align_val_t{64});
  CHECK(heap_requests == before + 4);
}

TEST_CASE("a step of the two-relations task asks the heap for nothing", "[heap]") {
  set_num_threads(1);
  const auto task = study::make_task("two-relations", {});
  for (const int64_t heads : {1, 4}) {
    CAPTURE(heads);
    Rng init(1), data(2);
    const auto model = task->make_model(heads, study::Init::random, init);
    AdamW optimiser(model->named_parameters(), {.lr = 1e-3});
    CHECK(requests_of_ten_steps([&] {
            optimiser.zero_grad();
            backward(model->training_loss(data));
            optimiser.step();
          }) == 0);
  }
}

TEST_CASE("a step of self-attention asks the heap for nothing", "[heap]") {
  set_num_threads(1);
  Rng rng(3);
  MultiHeadAttention attention({.d_model = 32, .heads = 4}, rng);
  Adam adam(attention.named_parameters(), {.lr = 1e-3});
  const Tensor x = randn({32, 16, 32}, rng), y = randn({32, 16, 32}, rng);
  CHECK(requests_of_ten_steps([&] {
          adam.zero_grad();
          backward(mse_loss(attention.forward(x).output, y));
          adam.step();
        }) == 0);
}

}  // namespace headwise::testing
