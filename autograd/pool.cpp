#include "headwise/autograd/pool.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <mutex>
#include <new>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#define HEADWISE_BYPASS_POOL 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HEADWISE_BYPASS_POOL 1
#endif
#endif
#ifndef HEADWISE_BYPASS_POOL
#define HEADWISE_BYPASS_POOL 0
#endif

namespace headwise::pool {
namespace {

// Classes are powers of two cut in four, from 64 bytes up: at most a fifth of a block is slack.
constexpr int first_bit = 6;
constexpr int class_count = 4 * (48 - first_bit);
constexpr size_t largest_pooled = size_t{1} << 47;

constexpr int class_of(size_t bytes) {
  const size_t needed = std::max(bytes, alignment) - 1;
  if (needed < alignment) return 0;
  const int bit = static_cast<int>(std::bit_width(needed)) - 1;
  return 4 * (bit - first_bit) + static_cast<int>((needed >> (bit - 2)) & 3) + 1;
}

constexpr size_t size_of_class(int index) {
  if (index == 0) return alignment;
  const int bit = first_bit + (index - 1) / 4, quarter = (index - 1) % 4;
  const size_t size = (size_t{1} << bit) + (static_cast<size_t>(quarter) + 1) * (size_t{1} << (bit - 2));
  return (size + alignment - 1) / alignment * alignment;
}

struct Block {
  Block* next;
};

// Written by one thread without locks, read by any.
class Counter {
 public:
  void add(int64_t change) { value_.store(get() + change, std::memory_order_relaxed); }
  int64_t get() const { return value_.load(std::memory_order_relaxed); }
  int64_t take() { return value_.exchange(0, std::memory_order_relaxed); }

 private:
  std::atomic<int64_t> value_{0};
};

struct FreeList {
  Block* head = nullptr;
  uint32_t count = 0;
  Counter handed_out, returned;  // by this thread

  void push(Block* block) {
    block->next = head;
    head = block;
    ++count;
  }
  Block* pop() {
    Block* block = head;
    head = block->next;
    --count;
    return block;
  }
};

using FreeLists = std::array<FreeList, class_count>;

std::atomic<int64_t> heap_bytes{0}, peak_bytes{0}, heap_requests{0};

void* from_heap(size_t bytes) {
  void* const block = ::operator new (bytes, std::align_val_t{alignment});
  const auto added = static_cast<int64_t>(bytes);
  const int64_t held = heap_bytes.fetch_add(added, std::memory_order_relaxed) + added;
  heap_requests.fetch_add(1, std::memory_order_relaxed);
  for (int64_t peak = peak_bytes; peak < held && !peak_bytes.compare_exchange_weak(peak, held);) continue;
  return block;
}

void to_heap(void* block, size_t bytes) noexcept {
  ::operator delete (block, std::align_val_t{alignment});
  heap_bytes.fetch_sub(static_cast<int64_t>(bytes), std::memory_order_relaxed);
}

void release_all(FreeLists& lists) {
  for (int index = 0; index < class_count; ++index) {
    FreeList& list = lists[static_cast<size_t>(index)];
    while (list.count) to_heap(list.pop(), size_of_class(index));
  }
}

// Trivially destroyed, so that reaching it costs no initialisation guard.
struct ThreadCache {
  FreeLists lists;
  Counter live_nodes;
  ThreadCache* next;  // in the depot's list of threads
  bool registered;
  bool closed;
};
constinit thread_local ThreadCache cache{};

// The depot outlives every thread: a tensor may be freed by the destructor of a static.
struct Depot {
  std::mutex mutex;
  FreeLists lists;  // whose counts are those of threads that are gone
  Counter live_nodes;
  ThreadCache* threads = nullptr;

  void take_over_counts(ThreadCache& from) {
    for (size_t index = 0; index < class_count; ++index) {
      lists[index].handed_out.add(from.lists[index].handed_out.take());
      lists[index].returned.add(from.lists[index].returned.take());
    }
    live_nodes.add(from.live_nodes.take());
  }
};
Depot& depot() {
  static Depot* const instance = new Depot;
  return *instance;
}

// How many free blocks of each class a thread keeps: plenty of small ones, 8 MiB of large ones.
constexpr auto keep_at_most = [] {
  std::array<uint32_t, class_count> counts{};
  for (int index = 0; index < class_count; ++index)
    counts[static_cast<size_t>(index)] =
        static_cast<uint32_t>(std::clamp<size_t>((size_t{8} << 20) / size_of_class(index), 4, 4096));
  return counts;
}();

struct CloseAtThreadExit {
  CloseAtThreadExit() {
    cache.registered = true;
    const std::lock_guard lock(depot().mutex);
    cache.next = std::exchange(depot().threads, &cache);
  }
  ~CloseAtThreadExit() {
    cache.closed = true;
    Depot& shared = depot();
    const std::lock_guard lock(shared.mutex);
    for (size_t index = 0; index < class_count; ++index)
      while (cache.lists[index].count) shared.lists[index].push(cache.lists[index].pop());
    shared.take_over_counts(cache);
    ThreadCache** link = &shared.threads;
    while (*link != &cache) link = &(*link)->next;
    *link = cache.next;
  }
};

void register_thread() {
  if (!cache.registered) {
    static thread_local const CloseAtThreadExit close;
    static_cast<void>(close);
  }
}

[[gnu::noinline]] void* refill(int index, size_t bytes) {
  register_thread();
  if (!HEADWISE_BYPASS_POOL) {
    Depot& shared = depot();
    const std::lock_guard lock(shared.mutex);
    if (cache.closed) shared.take_over_counts(cache);
    FreeList& stock = shared.lists[static_cast<size_t>(index)];
    if (stock.count) {
      Block* const block = stock.pop();
      for (uint32_t wanted = keep_at_most[static_cast<size_t>(index)] / 2;
           !cache.closed && stock.count && wanted; --wanted)
        cache.lists[static_cast<size_t>(index)].push(stock.pop());
      return block;
    }
  }
  try {
    return from_heap(HEADWISE_BYPASS_POOL ? bytes : size_of_class(index));
  } catch (...) {
    cache.lists[static_cast<size_t>(index)].handed_out.add(-1);
    throw;
  }
}

[[gnu::noinline]] void spill(int index, Block* block) {
  register_thread();
  Depot& shared = depot();
  const std::lock_guard lock(shared.mutex);
  if (cache.closed) shared.take_over_counts(cache);
  FreeList& stock = shared.lists[static_cast<size_t>(index)];
  FreeList& list = cache.lists[static_cast<size_t>(index)];
  stock.push(block);
  for (uint32_t surplus = list.count / 2; surplus; --surplus) stock.push(list.pop());
}

}  // namespace

void* allocate(size_t bytes) {
  if (bytes > largest_pooled) throw std::bad_alloc();
  const int index = class_of(bytes);
  FreeList& list = cache.lists[static_cast<size_t>(index)];
  list.handed_out.add(1);
  if (list.count) return list.pop();
  return refill(index, bytes);
}

void deallocate(void* block, size_t bytes) noexcept {
  const int index = class_of(bytes);
  FreeList& list = cache.lists[static_cast<size_t>(index)];
  list.returned.add(1);
  if (HEADWISE_BYPASS_POOL) return to_heap(block, bytes);
  Block* const freed = ::new (block) Block;
  if (cache.registered && list.count < keep_at_most[static_cast<size_t>(index)] && !cache.closed)
    return list.push(freed);
  spill(index, freed);
}

void* allocate_node(size_t bytes) {
  void* const block = allocate(bytes);
  cache.live_nodes.add(1);
  return block;
}

void deallocate_node(void* block, size_t bytes) noexcept {
  cache.live_nodes.add(-1);
  deallocate(block, bytes);
}

Statistics statistics() noexcept {
  Statistics sum{};
  auto count = [&sum](const FreeLists& lists, const Counter& nodes) {
    for (int index = 0; index < class_count; ++index) {
      const FreeList& list = lists[static_cast<size_t>(index)];
      const int64_t handed_out = list.handed_out.get();
      sum.allocations += handed_out;
      sum.live_bytes += (handed_out - list.returned.get()) * static_cast<int64_t>(size_of_class(index));
    }
    sum.live_nodes += nodes.get();
  };
  Depot& shared = depot();
  const std::lock_guard lock(shared.mutex);
  count(shared.lists, shared.live_nodes);
  for (const ThreadCache* thread = shared.threads; thread; thread = thread->next)
    count(thread->lists, thread->live_nodes);
  sum.heap_bytes = heap_bytes;
  sum.peak_bytes = peak_bytes;
  sum.heap_requests = heap_requests;
  return sum;
}

void reset_peak() noexcept { peak_bytes = heap_bytes.load(); }

void trim() noexcept {
  release_all(cache.lists);
  const std::lock_guard lock(depot().mutex);
  release_all(depot().lists);
}

}  // namespace headwise::pool
