// The bytes behind tensors, shared by all views of them.
#pragma once

#include <cstddef>

#include "headwise/autograd/pool.h"
#include "headwise/autograd/reference.h"

namespace headwise {

/// A counted block of memory, aligned to 64 bytes, with a version that every in-place change raises.
struct alignas(pool::alignment) Storage : Counted {
  std::atomic<uint32_t> version{0};
  size_t bytes = 0;

  std::byte* data() { return reinterpret_cast<std::byte*>(this + 1); }

  static Reference<Storage> allocate(size_t bytes) {
    Storage* storage = new (pool::allocate(sizeof(Storage) + bytes)) Storage;
    storage->bytes = bytes;
    return Reference<Storage>::adopt(storage);
  }
};

inline void destroy(Storage* storage) noexcept {
  const size_t bytes = sizeof(Storage) + storage->bytes;
  storage->~Storage();
  pool::deallocate(storage, bytes);
}

}  // namespace headwise
