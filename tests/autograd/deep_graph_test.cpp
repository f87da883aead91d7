// Graphs a million ops deep, on a stack of 512 KiB: built, run backward, and freed in any order.
#include <fstream>

#include <unistd.h>

#include "headwise/autograd/record.h"
#include "tests/support/tensors.h"
#include "tests/support/threads.h"

namespace headwise::testing {
namespace {

constexpr size_t small_stack = 512 * 1024;

struct Chain {
  Tensor first, last;
};

// y <- y + 1e-6 y, two ops a link; the slope of the last by the first is (1 + 1e-6)^links.
Chain make_chain(int links) {
  Chain chain;
  chain.first = full({}, 1, f64).set_requires_grad(true);
  chain.last = chain.first;
  const Tensor factor = full({}, 1e-6, f64);
  for (int i = 0; i < links; ++i) chain.last = chain.last + factor * chain.last;
  return chain;
}

[[maybe_unused]] long resident_kib() {
  std::ifstream file("/proc/self/statm");
  long total = 0, resident = 0;
  file >> total >> resident;
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

}  // namespace

TEST_CASE("a million links run backward under a small stack", "[deep]") {
  double value = 0, slope = 0;
  run_with_stack(small_stack, [&] {
    const Chain chain = make_chain(1000000);
    backward(chain.last);
    value = chain.last.item<double>();
    slope = chain.first.grad().item<double>();
  });
  CHECK(std::abs(value - 2.7182804693194) < 1e-9);
  CHECK(std::abs(slope - 2.7182804693194) < 1e-9);
}

TEST_CASE("grad and its search for targets do not recurse either", "[deep]") {
  double slope = 0;
  run_with_stack(small_stack, [&] {
    const Chain chain = make_chain(50000);
    slope = grad(chain.last, {chain.first}, {.create_graph = true})[0].item<double>();
  });
  CHECK(std::abs(slope - std::pow(1 + 1e-6, 50000)) < 1e-9);
}

TEST_CASE("a deep graph is freed in any order under a small stack", "[deep]") {
  constexpr int links = 50000;  // a frame of even 16 bytes per op would not fit
  SECTION("never run, last variable first") {
    run_with_stack(small_stack, [] {
      Chain chain = make_chain(links);
      chain.last = Tensor();
      chain.first = Tensor();
    });
  }
  SECTION("never run, first variable first") {
    run_with_stack(small_stack, [] {
      Chain chain = make_chain(links);
      chain.first = Tensor();
      chain.last = Tensor();
    });
  }
  SECTION("run and kept") {
    run_with_stack(small_stack, [] {
      Chain chain = make_chain(links);
      backward(chain.last, {.retain_graph = true});
      chain.first = Tensor();
    });
  }
  SECTION("an exception half-way") {
    std::string message;
    double after = 0;
    run_with_stack(small_stack, [&] {
      Chain lower = make_chain(links / 2);
      Tensor broken = lower.last.detach().clone();
      broken = record("identity", broken, inputs(lower.last), saves(), [](Vjp&) { fail("half-way"); });
      for (int i = 0; i < links / 2; ++i) broken = broken + 1e-6 * broken;
      try {
        backward(broken);
      } catch (const Error& error) {
        message = error.what();
      }
      backward(lower.last);
      after = lower.first.grad().item<double>();
    });
    CHECK(message == "half-way");
    CHECK(std::abs(after - std::pow(1 + 1e-6, links / 2)) < 1e-9);
  }
  SECTION("ten thousand results that share one chain") {
    run_with_stack(small_stack, [] {
      std::vector<Tensor> held;
      Chain chain = make_chain(links);
      for (int i = 0; i < 10000; ++i) held.push_back(chain.last * 2.0);
      chain = {};
    });
  }
  SUCCEED("the stack held");
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("memory does not grow from one repetition to the next", "[deep]") {
  auto repeat = [](int times) {
    for (int i = 0; i < times; ++i) backward(make_chain(10000).last);
  };
  repeat(3);
  const long before = resident_kib();
  repeat(7);
  CHECK(resident_kib() - before <= 1024);
}
#endif

}  // namespace headwise::testing
