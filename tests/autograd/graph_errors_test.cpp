// What the graph refuses, what its messages say, and that a refused run leaves nothing behind.
#include "headwise/autograd/record.h"
#include "tests/support/tensors.h"

namespace headwise::testing {
namespace {

Tensor leaf(std::initializer_list<double> values) { return from(values).set_requires_grad(true); }

// Passes x through, and throws on the way back as long as `broken` holds.
Tensor fuse(const Tensor& x, const bool& broken) {
  Tensor y = x.detach().clone();
  return record("identity", y, inputs(x), saves(), [&broken](Vjp& v) {
    require(!broken, "the fuse blew");
    v.give(0, v.cotangent());
  });
}

}  // namespace

TEST_CASE("backward needs a scalar that was computed from something", "[backward]") {
  const Tensor x = leaf({1, 2});
  check_error([&] { backward(x * 2.0); }, {"backward", "[2]", "cotangent"});
  check_error([] { backward(full({}, 1, f64)); }, {"backward", "set_requires_grad(true)", "NoGrad"});
  check_error([] { backward(Tensor()); }, {"backward", "undefined"});
  check_error([&] { backward(x * 2.0, ones({3}, f64)); }, {"backward", "mul", "[2]", "[3]"});
  check_error([&] { backward(x * 2.0, ones({2}, f32)); }, {"backward", "f64", "f32"});
  check_error([&] { backward(x * 2.0, Tensor()); }, {"backward", "cotangent", "undefined"});
  check_error([&] { grad(std::vector{x * 2.0}, std::vector{x}, std::vector{Tensor()}); },
              {"grad", "cotangent", "undefined"});
  check_error([&] { grad(sum(x), {Tensor()}); }, {"grad", "input", "undefined"});
  check_error([&] { grad(x * 2.0, {x}); }, {"grad", "[2]", "cotangent"});
  check_error(
      [&] {
        grad(std::vector{x}, std::vector{x}, std::vector{x, x});
      },
      {"grad", "1 outputs", "2 cotangents"});
  CHECK_FALSE(x.grad().defined());
  backward(sum(x) * full({1}, 2, f64));
  CHECK(values(x.grad()) == std::vector<double>{2, 2});
}

TEST_CASE("a freed graph names the op and how to keep it", "[backward]") {
  const Tensor x = leaf({3});
  const Tensor y = sum(x * x);
  backward(y);
  check_error([&] { backward(y); }, {"mul", "freed", ".retain_graph = true"});
  CHECK(values(x.grad()) == std::vector<double>{6});
  check_error([&] { grad(y, {x}); }, {"mul", "freed"});

  // One half of a graph may be freed through another output.
  const Tensor shared = exp(x);
  const Tensor first = sum(shared), second = sum(shared * 2.0);
  backward(first);
  check_error([&] { backward(second); }, {"exp", "freed"});
}

TEST_CASE("a saved value that was changed in place is caught", "[backward]") {
  Tensor x = leaf({2});
  const Tensor y = sum(x * x);
  const uint32_t saved_at = x.version();
  {
    const NoGrad guard;
    x.fill(100);
  }
  const std::string before = "version " + std::to_string(saved_at),
                    after = "version " + std::to_string(saved_at + 1);
  check_error([&] { backward(y); }, {"mul", "[1]", before.c_str(), after.c_str(), "clone()"});
  CHECK_FALSE(x.grad().defined());
}

TEST_CASE("the change is caught through any view, of an input or of the op's own result", "[backward]") {
  const Tensor x = leaf({0.5, 1});
  SECTION("a view of an input") {
    const Tensor base = from({1.0, 2.0, 3.0, 4.0});
    const Tensor y = sum(x * base.slice(0, 1, 3));
    base.view({2, 2}).select(1, 0).fill(9);
    check_error([&] { backward(y); }, {"mul", "changed in place"});
  }
  SECTION("the result") {
    const Tensor e = exp(x);
    const Tensor y = sum(e);
    e.detach().fill(0);
    check_error([&] { backward(y); }, {"exp", "changed in place"});
  }
  SECTION("a mask") {
    Tensor mask = from({true, false});
    const Tensor y = sum(masked_fill(x, mask, 0));
    mask.fill(1);
    check_error([&] { backward(y); }, {"masked_fill", "changed in place"});
  }
  SECTION("indices") {
    Tensor index = from<int64_t>({0, 1});
    const Tensor y = sum(gather(x, 0, index));
    index.fill(0);
    check_error([&] { backward(y); }, {"gather", "changed in place"});
  }
  SECTION("the operands of fused ops") {
    Tensor q = full({1, 1, 2, 2}, 0.5, f64);
    const Tensor k = full({1, 1, 2, 2}, 0.25, f64).set_requires_grad(true);
    const Tensor y = sum(scaled_dot_product_attention(q, k, k).output);
    q.fill(1);
    check_error([&] { backward(y); }, {"scaled_dot_product_attention", "changed in place"});
  }
  CHECK_FALSE(x.grad().defined());
}

TEST_CASE("a value that no gradient reads may be changed", "[backward]") {
  const Tensor x = leaf({1, 2});
  Tensor added = from({5.0, 6.0});
  const Tensor y = sum(x + added);
  added.fill(0);
  backward(y);
  CHECK(values(x.grad()) == std::vector<double>{1, 1});
}

TEST_CASE("tensors that require a gradient refuse changes in place while recording", "[backward]") {
  Tensor x = leaf({1, 2});
  Tensor y = x * 2.0;
  for (Tensor* t : {&x, &y}) {
    check_error([&] { t->fill(0); }, {"copy_from", "requires a gradient", "NoGrad"});
    check_error([&] { t->copy_from(ones({2}, f64)); }, {"copy_from", "NoGrad", "detach()"});
    check_error([&] { t->add_scaled(ones({2}, f64), 1); }, {"add_scaled", "NoGrad"});
    check_error([&] { t->mutable_values<double>(); }, {"mutable_values", "NoGrad"});
    check_error([&] { t->view({2, 1}).fill(0); }, {"NoGrad"});
  }
  CHECK(values(x) == std::vector<double>{1, 2});
  // Nor may a gradient be lost on the way into a tensor that requires none.
  Tensor plain = zeros({2}, f64);
  check_error([&] { plain.copy_from(x); }, {"copy_from", "source", "detach()"});
  check_error([&] { plain.add_scaled(y, 1); }, {"add_scaled", "source", "detach()"});
  CHECK(values(plain) == std::vector<double>{0, 0});
  const NoGrad guard;
  plain.copy_from(x);
  CHECK(values(plain) == std::vector<double>{1, 2});
  x.fill(7);
  CHECK(values(x) == std::vector<double>{7, 7});
}

TEST_CASE("an exception half-way changes no gradient and leaves no half-collected cotangent", "[backward]") {
  for (const bool with_targets : {false, true}) {
    DYNAMIC_SECTION((with_targets ? "grad" : "backward")) {
      bool broken = true;
      Tensor x = leaf({1, 2}), w = leaf({3, 4});
      x.set_grad(from({10.0, 20.0}));
      // The sound branch delivers to x's users before the fuse is reached.
      const Tensor blown = fuse(x + 0.0, broken), sound = (x + w) + w;
      const Tensor y = sum(blown + sound);
      auto run = [&] {
        if (!with_targets) return backward(y, {.retain_graph = true});
        const auto g = grad(y, {x, w}, {.retain_graph = true});
        x.set_grad(x.grad() + g[0]);
        w.set_grad(g[1]);
      };
      check_error(run, {"the fuse blew"});
      CHECK(grad_enabled());
      CHECK(values(x.grad()) == std::vector<double>{10, 20});
      CHECK_FALSE(w.grad().defined());
      broken = false;
      run();
      CHECK(values(x.grad()) == std::vector<double>{12, 22});
      CHECK(values(w.grad()) == std::vector<double>{2, 2});
    }
  }
}

TEST_CASE("an op that gives a cotangent of the wrong shape is named", "[backward]") {
  const Tensor x = leaf({1, 2});
  const Tensor inner = exp(x);
  Tensor y = full({}, 0, f64);
  y = record("identity", y, inputs(inner), saves(), [](Vjp& v) { v.give(0, v.cotangent()); });
  check_error([&] { backward(y); }, {"backward of identity", "input 0", "[2]", "[]"});
  CHECK_FALSE(x.grad().defined());
}

}  // namespace headwise::testing
