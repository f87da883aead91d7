// Hooks on cotangents: when they fire, with what, in which order, and what happens when they misbehave.
#include "headwise/autograd/hooks.h"

#include "tests/support/derivatives.h"

namespace headwise::testing {
namespace {

// Keeps what a hook has seen.
struct Seen {
  std::vector<std::vector<double>> cotangents;
  auto hook() {
    return [this](const Tensor& cotangent) { cotangents.push_back(values(cotangent)); };
  }
};

}  // namespace

TEST_CASE("a hook sees the summed cotangent once per backward pass", "[hooks]") {
  const Tensor x = leaf({1, 2});
  const Tensor y = x * 2.0;
  Seen at_x, at_y;
  const auto hook_x = on_cotangent(x, at_x.hook());
  const auto hook_y = on_cotangent(y, at_y.hook());
  const Tensor loss = sum(y * y) + sum(y * 3.0) + sum(x);  // y is used three times, x twice
  backward(loss, {.retain_graph = true});
  CHECK(at_y.cotangents == std::vector<std::vector<double>>{{7, 11}});
  CHECK(at_x.cotangents == std::vector<std::vector<double>>{{15, 23}});
  backward(loss);
  CHECK(at_y.cotangents.size() == 2);
  // A leaf with a gradient already: the hook sees what this pass adds.
  CHECK(at_x.cotangents[1] == std::vector<double>{15, 23});
  CHECK(values(x.grad()) == std::vector<double>{30, 46});
}

TEST_CASE("a pass that does not reach a tensor does not fire its hooks", "[hooks]") {
  const Tensor x = leaf({1}), y = leaf({1});
  Seen seen;
  const Tensor unused = x * 2.0;
  const auto on_unused = on_cotangent(unused, seen.hook()), on_y = on_cotangent(y, seen.hook());
  backward(sum(x * 3.0));
  grad(sum(x * y), {x});
  CHECK(seen.cotangents.empty());
}

TEST_CASE("a hook may replace the cotangent, of a leaf or not", "[hooks]") {
  Tensor x = leaf({1, 2});
  const Tensor y = x * 2.0;
  const auto at_y = on_cotangent(y, [](const Tensor& dy) { return dy * 10.0; });
  backward(sum(y), {.retain_graph = true});
  CHECK(values(x.grad()) == std::vector<double>{20, 20});
  const auto at_x = on_cotangent(x, [](const Tensor& dx) { return clamp(dx, -1, 1); });
  x.zero_grad();
  backward(sum(y), {.retain_graph = true});
  CHECK(values(x.grad()) == std::vector<double>{1, 1});
  CHECK(values(grad(sum(y), {x})[0]) == std::vector<double>{1, 1});

  const Tensor outer = leaf({1});
  const Tensor middle = outer * 1.0;
  const auto at_middle = on_cotangent(middle, [](const Tensor& d) { return d * 5.0; });
  CHECK(values(grad(sum(middle), {middle})[0]) == std::vector<double>{5});
}

TEST_CASE("hooks run in the order added, each on what the one before left", "[hooks]") {
  const Tensor x = leaf({1});
  std::vector<std::string> order;
  auto add_one = [&](const char* name) {
    return [&order, name](const Tensor& d) {
      order.push_back(fmt::format("{} {}", name, d.item<double>()));
      return d + 1.0;
    };
  };
  const auto first = on_cotangent(x, add_one("first"));
  auto second = on_cotangent(x, add_one("second"));
  const auto third = on_cotangent(x, add_one("third"));
  backward(x);
  CHECK(order == std::vector<std::string>{"first 1", "second 2", "third 3"});
  CHECK(x.grad().item<double>() == 4);
  second.remove();
  order.clear();
  backward(x);
  CHECK(order == std::vector<std::string>{"first 1", "third 2"});
}

TEST_CASE("a hook goes with its handle", "[hooks]") {
  const Tensor x = leaf({1});
  Seen seen;
  {
    const auto hook = on_cotangent(x, seen.hook());
    backward(x);
  }
  backward(x);
  CHECK(seen.cotangents.size() == 1);
  try {
    const auto hook = on_cotangent(x, seen.hook());
    fail("interrupted");
  } catch (const Error&) {
  }
  backward(x);
  CHECK(seen.cotangents.size() == 1);
  HookHandle moved;
  {
    auto hook = on_cotangent(x, seen.hook());
    moved = std::move(hook);
  }
  backward(x);
  CHECK(seen.cotangents.size() == 2);
}

TEST_CASE("a hook that holds its own tensor makes no cycle", "[hooks]") {
  const int64_t before = pool::statistics().live_nodes;
  {
    const Tensor x = leaf({1});
    const Tensor y = x * 2.0;
    const auto hook = on_cotangent(y, [y](const Tensor& dy) { return dy * y; });
    backward(y);
    CHECK(x.grad().item<double>() == 4);
  }
  CHECK(pool::statistics().live_nodes == before);
}

TEST_CASE("hooks may be added and removed while hooks run", "[hooks]") {
  const Tensor x = leaf({1});
  std::vector<int> ran;
  HookHandle self, later, added;
  self = on_cotangent(x, [&](const Tensor&) {
    ran.push_back(1);
    self.remove();
    later.remove();
    added = on_cotangent(x, [&](const Tensor&) { ran.push_back(3); });
    ran.push_back(2);  // the hook is alive until it returns
  });
  later = on_cotangent(x, [&](const Tensor&) { ran.push_back(-1); });
  backward(x);
  CHECK(ran == std::vector<int>{1, 2});
  backward(x);
  CHECK(ran == std::vector<int>{1, 2, 3});
}

TEST_CASE("a replacement that does not fit is an error that names both", "[hooks]") {
  const Tensor x = leaf({1, 2});
  const Tensor y = x * 2.0;
  {
    const auto hook = on_cotangent(y, [](const Tensor&) { return ones({3}, f64); });
    check_error([&] { backward(sum(y), {.retain_graph = true}); }, {"mul", "[2]", "[3]", "hook"});
  }
  {
    const auto hook = on_cotangent(y, [](const Tensor&) { return ones({2}, f32); });
    check_error([&] { backward(sum(y), {.retain_graph = true}); }, {"mul", "f64", "f32"});
  }
  CHECK_FALSE(x.grad().defined());
  backward(sum(y));
  CHECK(values(x.grad()) == std::vector<double>{2, 2});
}

TEST_CASE("a hook that throws leaves the graph clean and every gradient as it was", "[hooks]") {
  const Tensor a = leaf({1}), b = leaf({2}), c = leaf({3});
  backward(a + b + c);
  bool broken = true;
  auto fuse = [&](const Tensor&) { require(!broken, "the fuse blew"); };
  const Tensor loss = a * b * c;
  // On the leaf met last, when the others have their cotangents, and in the middle of the graph.
  for (const Tensor& place : {c, b, a, loss}) {
    const auto hook = on_cotangent(place, fuse);
    broken = true;
    check_error([&] { backward(loss, {.retain_graph = true}); }, {"the fuse blew"});
    for (const Tensor& x : {a, b, c}) CHECK(x.grad().item<double>() == 1);
  }
  broken = false;
  backward(loss);
  CHECK(a.grad().item<double>() == 7);
  CHECK(b.grad().item<double>() == 4);
  CHECK(c.grad().item<double>() == 3);
}

TEST_CASE("a view and its base have hooks of their own", "[hooks]") {
  const Tensor x = leaf({1, 2, 3, 4});
  const Tensor rows = x.view({2, 2});
  Seen at_x, at_rows;
  const auto on_x = on_cotangent(x, at_x.hook()), on_rows = on_cotangent(rows, at_rows.hook());
  backward(sum(rows.select(0, 1) * 2.0) + sum(x));
  CHECK(at_rows.cotangents == std::vector<std::vector<double>>{{0, 0, 2, 2}});
  CHECK(at_x.cotangents == std::vector<std::vector<double>>{{1, 1, 3, 3}});
}

TEST_CASE("outputs of one node have hooks of their own", "[hooks]") {
  Rng rng(1);
  const Tensor q = randn({1, 1, 2, 2}, rng, f64).set_requires_grad(true);
  const Attention attention = scaled_dot_product_attention(q, q, q);
  Seen output, weights;
  const auto on_output = on_cotangent(attention.output, output.hook());
  const auto on_weights = on_cotangent(attention.weights, weights.hook());
  backward(sum(attention.weights * 3.0));
  CHECK(output.cotangents.empty());
  CHECK(weights.cotangents == std::vector<std::vector<double>>{{3, 3, 3, 3}});
}

TEST_CASE("a hook under create_graph is differentiated", "[hooks]") {
  const Tensor x = leaf({3});
  const Tensor y = x * x;
  auto hook = on_cotangent(y, [y](const Tensor& dy) { return dy * y; });
  const Tensor first = grad(sum(y), {x}, {.create_graph = true})[0];  // 2 x^3
  CHECK(first.item<double>() == 54);
  hook.remove();                                    // the second pass reaches y too
  CHECK(grad(first, {x})[0].item<double>() == 54);  // 6 x^2
}

TEST_CASE("what a hook keeps or returns is not written to", "[hooks]") {
  Tensor x = leaf({1});
  Tensor constant = from({5.0});
  Tensor kept;
  const auto keep = on_cotangent(x, [&](const Tensor& d) { kept = d; });
  backward(x);
  backward(x);
  CHECK(kept.item<double>() == 1);
  CHECK(x.grad().item<double>() == 2);
  const auto replace = on_cotangent(x, [&](const Tensor&) { return constant; });
  x.zero_grad();
  backward(x);
  backward(x);
  CHECK(constant.item<double>() == 5);
  CHECK(x.grad().item<double>() == 10);
}

TEST_CASE("a tensor without a gradient takes no hook", "[hooks]") {
  const auto nothing = [](const Tensor&) {};
  check_error([&] { auto h = on_cotangent(Tensor(), nothing); }, {"on_cotangent", "undefined"});
  check_error([&] { auto h = on_cotangent(from({1.0}), nothing); },
              {"on_cotangent", "[1]", "set_requires_grad"});
}

TEST_CASE("an empty function is refused as a hook", "[hooks]") {
  const Tensor x = leaf({1});
  check_error([&] { auto h = on_cotangent(x, std::function<void(const Tensor&)>()); }, {"empty"});
  check_error([&] { auto h = on_cotangent(x, std::function<Tensor(const Tensor&)>()); }, {"empty"});
  backward(x);
  CHECK(x.grad().item<double>() == 1);
}

}  // namespace headwise::testing
