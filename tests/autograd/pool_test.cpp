// The pool: blocks that are whole, aligned and apart, on whichever thread they are freed, and counted.
#include "headwise/autograd/pool.h"

#include <thread>

#include "tests/support/tensors.h"

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

TEST_CASE("trimming gives free blocks back and leaves live ones alone", "[pool]") {
  const Held live = hold(1000, 3);
  pool::deallocate(pool::allocate(1000), 1000);
  pool::trim();
  CHECK(intact(live));
  const int64_t before = pool::statistics().heap_requests;
  void* const fresh = pool::allocate(1000);
  CHECK(pool::statistics().heap_requests == before + 1);
  pool::deallocate(fresh, 1000);
  pool::deallocate(live.block, live.bytes);
}

TEST_CASE("statistics count bytes, allocations and nodes over all threads", "[pool]") {
  const pool::Statistics before = pool::statistics();
  void* const first = pool::allocate(5000);
  void* second = nullptr;
  std::thread([&] { second = pool::allocate(700); }).join();
  const pool::Statistics both = pool::statistics();
  CHECK(both.live_bytes >= before.live_bytes + 5700);
  CHECK(both.live_bytes <= before.live_bytes + 5700 * 5 / 4 + 64);
  CHECK(both.allocations == before.allocations + 2);
  pool::deallocate(second, 700);
  pool::deallocate(first, 5000);
  CHECK(pool::statistics().live_bytes == before.live_bytes);
  pool::trim();
  pool::reset_peak();
  const int64_t floor = pool::statistics().peak_bytes;
  CHECK(floor == pool::statistics().heap_bytes);
  pool::deallocate(pool::allocate(size_t{1} << 20), size_t{1} << 20);
  pool::trim();
  CHECK(pool::statistics().heap_bytes == floor);
  CHECK(pool::statistics().peak_bytes >= floor + (int64_t{1} << 20));
  {
    const Tensor leaf = ones({3}).set_requires_grad(true);
    const Tensor y = exp(leaf) + leaf;
    CHECK(pool::statistics().live_nodes == before.live_nodes + 3);
  }
  CHECK(pool::statistics().live_nodes == before.live_nodes);
}

}  // namespace headwise::testing
