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

struct FreeList {
  Block* head = nullptr;
  uint32_t count = 0;

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

void* from_heap(size_t bytes) { return ::operator new (bytes, std::align_val_t{alignment}); }
void to_heap(void* block) noexcept { ::operator delete (block, std::align_val_t{alignment}); }

void release_all(FreeLists& lists) {
  for (FreeList& list : lists)
    while (list.count) to_heap(list.pop());
}

// Written by one thread without locks, read by any.
class Counter {
 public:
  void add(int64_t change) { set(get() + change); }
  void set(int64_t value) { value_.store(value, std::memory_order_relaxed); }
  int64_t get() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<int64_t> value_{0};
};

struct Counters {
  Counter live_bytes, peak_bytes, allocations, heap_requests, live_nodes;

  void allocated(size_t bytes) {
    allocations.add(1);
    live_bytes.add(static_cast<int64_t>(bytes));
    if (live_bytes.get() > peak_bytes.get()) peak_bytes.set(live_bytes.get());
  }
  void add_to(Statistics& sum) const {
    sum.live_bytes += live_bytes.get();
    sum.peak_bytes += peak_bytes.get();
    sum.allocations += allocations.get();
    sum.heap_requests += heap_requests.get();
    sum.live_nodes += live_nodes.get();
  }
};

// Trivially destroyed, so that reaching it costs no initialisation guard.
struct ThreadCache {
  FreeLists lists;
  Counters counters;
  ThreadCache* next;  // in the depot's list of threads
  bool registered;
  bool closed;
};
constinit thread_local ThreadCache cache{};

// The depot outlives every thread: a tensor may be freed by the destructor of a static.
struct Depot {
  std::mutex mutex;
  FreeLists lists;
  ThreadCache* threads = nullptr;
  Statistics finished{};  // the counts of threads that are gone

  // The peak of a thread that is gone has passed; what it left behind is still there.
  void take_over(Counters& counters) {
    counters.peak_bytes.set(counters.live_bytes.get());
    counters.add_to(finished);
    for (Counter* counter : {&counters.live_bytes, &counters.peak_bytes, &counters.allocations,
                             &counters.heap_requests, &counters.live_nodes})
      counter->set(0);
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
    shared.take_over(cache.counters);
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

void* bypass(size_t bytes) {
  register_thread();
  cache.counters.heap_requests.add(1);
  return from_heap(bytes);
}

[[gnu::noinline]] void* refill(int index) {
  register_thread();
  {
    Depot& shared = depot();
    const std::lock_guard lock(shared.mutex);
    if (cache.closed) shared.take_over(cache.counters);
    FreeList& stock = shared.lists[static_cast<size_t>(index)];
    if (stock.count) {
      Block* const block = stock.pop();
      for (uint32_t wanted = keep_at_most[static_cast<size_t>(index)] / 2;
           !cache.closed && stock.count && wanted; --wanted)
        cache.lists[static_cast<size_t>(index)].push(stock.pop());
      return block;
    }
  }
  cache.counters.heap_requests.add(1);
  return from_heap(size_of_class(index));
}

[[gnu::noinline]] void spill(int index, Block* block) {
  register_thread();
  Depot& shared = depot();
  const std::lock_guard lock(shared.mutex);
  if (cache.closed) shared.take_over(cache.counters);
  FreeList& stock = shared.lists[static_cast<size_t>(index)];
  FreeList& list = cache.lists[static_cast<size_t>(index)];
  stock.push(block);
  for (uint32_t surplus = list.count / 2; surplus; --surplus) stock.push(list.pop());
}

}  // namespace

void* allocate(size_t bytes) {
  cache.counters.allocated(bytes);
  if (HEADWISE_BYPASS_POOL || bytes > largest_pooled) return bypass(bytes);
  const int index = class_of(bytes);
  FreeList& list = cache.lists[static_cast<size_t>(index)];
  if (list.count) return list.pop();
  return refill(index);
}

void deallocate(void* block, size_t bytes) noexcept {
  cache.counters.live_bytes.add(-static_cast<int64_t>(bytes));
  if (HEADWISE_BYPASS_POOL || bytes > largest_pooled) return to_heap(block);
  const int index = class_of(bytes);
  FreeList& list = cache.lists[static_cast<size_t>(index)];
  Block* const freed = ::new (block) Block;
  if (cache.registered && !cache.closed && list.count < keep_at_most[static_cast<size_t>(index)])
    return list.push(freed);
  spill(index, freed);
}

void count_node(int64_t change) noexcept { cache.counters.live_nodes.add(change); }

Statistics statistics() noexcept {
  register_thread();
  Depot& shared = depot();
  const std::lock_guard lock(shared.mutex);
  Statistics sum = shared.finished;
  for (const ThreadCache* thread = shared.threads; thread; thread = thread->next)
    thread->counters.add_to(sum);
  return sum;
}

void reset_peak() noexcept {
  const std::lock_guard lock(depot().mutex);
  for (ThreadCache* thread = depot().threads; thread; thread = thread->next)
    thread->counters.peak_bytes.set(thread->counters.live_bytes.get());
}

void trim() noexcept {
  release_all(cache.lists);
  const std::lock_guard lock(depot().mutex);
  release_all(depot().lists);
}

}  // namespace headwise::pool
