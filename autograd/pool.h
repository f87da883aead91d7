// Where nodes, tensors and buffers come from: caches of freed blocks, so that a training step in steady state
// asks the heap for nothing.
//
// Each thread keeps its own lists of free blocks, one per size class; a full list hands half of its blocks to
// a shared depot and an empty one takes from there, so memory may be freed on another thread than the one
// that allocated it. Under the address sanitizer every call goes straight to the heap.
#pragma once

#include <cstddef>
#include <cstdint>

namespace headwise::pool {

inline constexpr size_t alignment = 64;

/// At least `bytes` bytes, aligned to 64; throws std::bad_alloc. Pass the same `bytes` to deallocate.
void* allocate(size_t bytes);
void deallocate(void* block, size_t bytes) noexcept;

/// Gives the free blocks of the calling thread and of the depot back to the heap.
void trim() noexcept;

/// The same for a node of the graph, which the statistics count apart.
void* allocate_node(size_t bytes);
void deallocate_node(void* block, size_t bytes) noexcept;

/// What all threads together have asked the pool for.
struct Statistics {
  /// In blocks that are handed out, at the size of the block.
  int64_t live_bytes;
  /// Held from the heap, in blocks handed out and free ones, and the most that ever was.
  int64_t heap_bytes, peak_bytes;
  int64_t allocations;
  /// Allocations that no free block could serve.
  int64_t heap_requests;
  int64_t live_nodes;
};
Statistics statistics() noexcept;
/// Lets the peak start again from what is held now.
void reset_peak() noexcept;

/// An allocator for standard containers on hot paths.
template <class T>
struct Allocator {
  using value_type = T;
  Allocator() = default;
  template <class U>
  Allocator(const Allocator<U>&) {}
  T* allocate(size_t n) { return static_cast<T*>(pool::allocate(n * sizeof(T))); }
  void deallocate(T* block, size_t n) noexcept { pool::deallocate(block, n * sizeof(T)); }
  bool operator==(const Allocator&) const { return true; }
};

}  // namespace headwise::pool
