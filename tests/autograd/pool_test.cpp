// The pool: blocks that are whole, aligned and apart, on whichever thread they are freed, and no heap traffic
// once a training step has run.
#include "headwise/autograd/pool.h"

#include <cstdlib>
#include <new>
#include <thread>

#include "tests/support/tensors.h"

// Under the address sanitizer the pool is bypassed and the heap is the sanitizer's own: nothing to count.
#if !defined(__SANITIZE_ADDRESS__)
namespace {
std::atomic<int64_t> heap_requests{0};

void* counted(size_t bytes, size_t alignment) {
  ++heap_requests;
  void* const block = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (!block) throw std::bad_alloc();
  return block;
}
}  // namespace

// Every allocation of this program that does not come from malloc itself.
void* operator new(size_t bytes) { return counted(bytes, alignof(std::max_align_t)); }
void* operator new(size_t bytes, std::align_val_t alignment) {
  return counted(bytes, static_cast<size_t>(alignment));
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, size_t) noexcept { std::free(block); }
void operator delete(void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete(void* block, size_t, std::align_val_t) noexcept { std::free(block); }
#endif

namespace headwise::testing {
namespace {

struct Held {
  unsigned char* block;
  size_t bytes;
  unsigned char mark;
};

Held hold(size_t bytes, unsigned char mark) {
  auto* const block = static_cast<unsigned char*>(pool::allocate(bytes));
  std::fill(block, block + bytes, mark);
  return {block, bytes, mark};
}

bool intact(const Held& held) {
  return std::all_of(held.block, held.block + held.bytes,
                     [&](unsigned char byte) { return byte == held.mark; });
}

}  // namespace

TEST_CASE("blocks are aligned, whole and apart at every size", "[pool]") {
  std::vector<Held> live;
  unsigned char mark = 0;
  for (int round = 0; round < 2; ++round) {  // the second round meets blocks that were used before
    for (size_t bit = 0; bit < 21; ++bit)
      for (const size_t quarter : {0u, 1u, 2u, 3u})
        for (const size_t off : {0u, 1u, 2u}) {
          const size_t bytes = (size_t{1} << bit) + quarter * ((size_t{1} << bit) / 4) + off;
          live.push_back(hold(bytes - 1, ++mark));
        }
    for (const Held& held : live) {
      CHECK(reinterpret_cast<uintptr_t>(held.block) % pool::alignment == 0);
      CHECK(intact(held));
    }
    for (const Held& held : live) pool::deallocate(held.block, held.bytes);
    live.clear();
  }
}

TEST_CASE("blocks may be freed on another thread than the one that allocated them", "[pool]") {
  std::vector<Held> made;
  std::thread([&made] {
    for (unsigned char i = 0; i < 200; ++i) made.push_back(hold(size_t{40} * (i + 1u), i));
  }).join();
  bool all_intact = true;
  for (const Held& held : made) all_intact = all_intact && intact(held);
  CHECK(all_intact);
  std::thread([&made] {
    for (const Held& held : made) pool::deallocate(held.block, held.bytes);
  }).join();
  pool::trim();
  const Held after = hold(4000, 7);
  CHECK(intact(after));
  pool::deallocate(after.block, after.bytes);
}

#if !defined(__SANITIZE_ADDRESS__)
TEST_CASE("trimming gives free blocks back and leaves live ones alone", "[pool]") {
  const Held live = hold(1000, 3);
  pool::deallocate(pool::allocate(1000), 1000);
  pool::trim();
  CHECK(intact(live));
  const int64_t before = heap_requests;
  void* const fresh = pool::allocate(1000);
  CHECK(heap_requests == before + 1);
  pool::deallocate(fresh, 1000);
  pool::deallocate(live.block, live.bytes);
}

TEST_CASE("a training step in steady state asks the heap for nothing", "[pool]") {
  Rng rng(3);
  const Tensor x = randn({4, 6, 8}, rng);
  std::vector<Tensor> weights;
  for (int i = 0; i < 4; ++i) weights.push_back(randn({8, 8}, rng).set_requires_grad(true));
  auto step = [&] {
    auto heads = [&](int i) {
      return linear(x, weights[static_cast<size_t>(i)]).view({4, 6, 2, 4}).transpose(1, 2);
    };
    const Attention attended = scaled_dot_product_attention(heads(0), heads(1), heads(2));
    const Tensor y = linear(attended.output.transpose(1, 2).reshape({4, 6, 8}), weights[3]);
    backward(mse_loss(gelu(layer_norm(y, {}, {})), x));
    const NoGrad guard;
    for (Tensor& w : weights) {
      w.add_scaled(w.grad(), -0.1);
      w.zero_grad();
    }
  };
  for (int i = 0; i < 3; ++i) step();
  const int64_t before = heap_requests;
  for (int i = 0; i < 3; ++i) step();
  CHECK(heap_requests == before);
}
#endif

}  // namespace headwise::testing
