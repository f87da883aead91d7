// Threads for tests: how many a kernel may use, and threads with a small stack.
#pragma once

#include <exception>
#include <functional>

#include <pthread.h>

#include "headwise/autograd/threads.h"
#include "tests/catch.h"

namespace headwise::testing {

/// Sets the number of threads for its lifetime.
class Threads {
 public:
  explicit Threads(int count) : before_(num_threads()) { set_num_threads(count); }
  ~Threads() { set_num_threads(before_); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

 private:
  int before_;
};

/// Runs `work` to its end on a thread with a stack of `bytes`; throws what it throws. Catch2's assertions
/// must stay outside `work`.
inline void run_with_stack(size_t bytes, const std::function<void()>& work) {
  struct Job {
    const std::function<void()>& work;
    std::exception_ptr failure;
  } job{work, {}};
  pthread_attr_t attributes;
  REQUIRE(pthread_attr_init(&attributes) == 0);
  REQUIRE(pthread_attr_setstacksize(&attributes, bytes) == 0);
  pthread_t thread;
  auto enter = [](void* given) -> void* {
    auto* const own = static_cast<Job*>(given);
    try {
      own->work();
    } catch (...) {
      own->failure = std::current_exception();
    }
    return nullptr;
  };
  REQUIRE(pthread_create(&thread, &attributes, enter, &job) == 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  if (job.failure) std::rethrow_exception(job.failure);
}

}  // namespace headwise::testing
