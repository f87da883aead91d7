// Drawings of the graph.
#include <filesystem>
#include <fstream>
#include <iterator>

#include <unistd.h>

#include "tests/support/tensors.h"
#include "tests/support/threads.h"

namespace headwise::testing {
namespace {

Tensor leaf(const Shape& shape, DType dtype = f64) { return ones(shape, dtype).set_requires_grad(true); }

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("a graph is drawn with its ops, its leaves and their names", "[draw]") {
  const Tensor w = leaf({2, 3}, f32), x = leaf({3}, f32);
  const Tensor loss = sum(w * x + 1.0);
  CHECK(to_dot(loss, {{"w", w}}) == R"(digraph {
  n0 [label="sum\n[] f32"];
  n1 -> n0;
  n1 [label="add\n[2, 3] f32"];
  n2 -> n1;
  n2 [label="mul\n[2, 3] f32"];
  n3 -> n2;
  n4 -> n2;
  n3 [label="w\n[2, 3] f32", shape=box];
  n4 [label="[3] f32", shape=box];
}
)");
}

TEST_CASE("a node that several ops read is drawn once", "[draw]") {
  const Tensor x = leaf({});
  const Tensor y = exp(x);
  CHECK(to_dot(y * y + y) == R"(digraph {
  n0 [label="add\n[] f64"];
  n1 -> n0;
  n2 -> n0;
  n1 [label="mul\n[] f64"];
  n2 -> n1;
  n2 -> n1;
  n2 [label="exp\n[] f64"];
  n3 -> n2;
  n3 [label="[] f64", shape=box];
}
)");
}

TEST_CASE("tensors without a graph are a box", "[draw]") {
  const Tensor constant = zeros({2, 0}, i64), parameter = leaf({4});
  CHECK(to_dot(constant, {{"other", parameter}}) ==
        "digraph {\n  n0 [label=\"[2, 0] i64\", shape=box];\n}\n");
  CHECK(to_dot(parameter, {{"bias", parameter}}) ==
        "digraph {\n  n0 [label=\"bias\\n[4] f64\", shape=box];\n}\n");
  // Constants are no part of a graph.
  CHECK(count(to_dot(parameter * full({}, 2, f64)), "[label=") == 2);
  check_error([] { to_dot(Tensor()); }, {"to_dot", "undefined"});
}

TEST_CASE("names are escaped, shared and matched to leaves", "[draw]") {
  const Tensor x = leaf({1});
  const std::string text = to_dot(x, {{"a \"b\" \\N &lt;\nc", x}});
  CHECK(text == "digraph {\n  n0 [label=\"a \\\"b\\\" \\\\N &amp;lt;\\nc\\n[1] f64\", shape=box];\n}\n");
  const Tensor y = x * 2.0;
  CHECK(to_dot(x, {{"in", x}, {"out", x}, {"y", y}, {"none", Tensor()}}) ==
        "digraph {\n  n0 [label=\"in, out\\n[1] f64\", shape=box];\n}\n");
}

TEST_CASE("an op of several results names the one that is read", "[draw]") {
  const Tensor q = leaf({1, 2, 3, 4});
  const Attention attended = scaled_dot_product_attention(q, q, q, {.weights = true});
  const std::string both = to_dot(sum(attended.output) + sum(attended.weights));
  CHECK(count(both, R"(_attention\noutput 0: [1, 2, 3, 4] f64\noutput 1: [1, 2, 3, 3] f64"])") == 1);
  CHECK(count(both, R"([label="output 0"])") == 1);
  CHECK(count(both, R"([label="output 1"])") == 1);
  const std::string one = to_dot(attended.weights);
  CHECK(count(one, R"(n0 [label="scaled_dot_product_attention\noutput 1: [1, 2, 3, 3] f64"])") == 1);
  CHECK(count(one, "n1 -> n0;") == 3);
}

TEST_CASE("equal graphs give equal text", "[draw]") {
  auto text = [] {
    const Tensor x = leaf({3}), y = leaf({3});
    return to_dot(sum(exp(x * y) + tanh(y) * x), {{"x", x}, {"y", y}});
  };
  CHECK(text() == text());
}

TEST_CASE("a chain of 100,000 ops is drawn under a small stack", "[draw]") {
  constexpr size_t links = 100000;
  std::string text;
  run_with_stack(512 * 1024, [&] {
    Tensor x = leaf({});
    for (size_t i = 0; i < links; ++i) x = -x;
    text = to_dot(x);
  });
  CHECK(count(text, "->") == links);
  CHECK(count(text, "shape=box") == 1);
}

TEST_CASE("drawings are written to files, and errors name the file", "[draw]") {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("headwise_draw_{}", getpid());
  const Tensor x = leaf({2}), loss = sum(x);
  check_error([&] { write_dot(loss, folder / "loss.dot"); }, {"write_dot", (folder / "loss.dot").c_str()});
  std::filesystem::create_directories(folder);
  check_error([&] { write_dot(loss, folder); }, {"write_dot", folder.c_str()});
  write_dot(loss, folder / "loss.dot", {{"x", x}});
  std::ifstream file(folder / "loss.dot");
  CHECK(std::string(std::istreambuf_iterator<char>(file), {}) == to_dot(loss, {{"x", x}}));
  std::filesystem::remove_all(folder);
}

}  // namespace headwise::testing
