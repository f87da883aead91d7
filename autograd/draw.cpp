#include "headwise/autograd/draw.h"

#include <fstream>
#include <set>
#include <unordered_map>

#include "headwise/autograd/node.h"

namespace headwise {
namespace {

// Graphviz reads backslashes and character entities in a label.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '"':
      case '\\':
        result += '\\';
        result += c;
        break;
      case '\n':
        result += "\\n";
        break;
      case '&':
        result += "&amp;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string kind(const Shape& shape, DType dtype) { return fmt::format("{} {}", shape, dtype); }

std::string box(size_t number, const std::string& name, const Shape& shape, DType dtype) {
  const std::string title = name.empty() ? "" : escaped(name) + "\\n";
  return fmt::format("  n{} [label=\"{}{}\", shape=box];\n", number, title, kind(shape, dtype));
}

struct Drawn {
  Node* node;
  std::set<uint32_t> outputs;  // those that this graph uses
};

// Every node behind a result once, nearest first; a node's number is its place here.
class Graph {
 public:
  explicit Graph(const Edge& result) {
    meet(result);
    size_t next = 0;
    while (next < drawn.size())  // which grows on the way
      for (const Edge& edge : drawn[next++].node->edges())
        if (edge) meet(edge);
  }

  size_t number(const Edge& edge) const { return numbers_.at(edge.node()); }

  std::vector<Drawn> drawn;

 private:
  void meet(const Edge& edge) {
    const auto [found, is_new] = numbers_.try_emplace(edge.node(), drawn.size());
    if (is_new) drawn.push_back({edge.node(), {}});
    drawn[found->second].outputs.insert(edge.output);
  }

  std::unordered_map<const Node*, size_t> numbers_;
};

std::string op(size_t number, const Drawn& drawn) {
  std::string label = escaped(drawn.node->name());
  const auto outputs = drawn.node->outputs();
  for (const uint32_t i : drawn.outputs) {
    label += outputs.size() > 1 ? fmt::format("\\noutput {}: ", i) : "\\n";
    label += kind(outputs[i].shape, outputs[i].dtype);
  }
  return fmt::format("  n{} [label=\"{}\"];\n", number, label);
}

std::unordered_map<const Node*, std::string> names_of_leaves(const NamedTensors& names) {
  std::unordered_map<const Node*, std::string> result;
  for (const auto& [name, tensor] : names) {
    if (!tensor.defined() || !tensor.is_leaf() || !tensor.requires_grad()) continue;
    std::string& known = result[tensor.edge().node()];
    known += known.empty() ? name : ", " + name;
  }
  return result;
}

}  // namespace

std::string to_dot(const Tensor& x, const NamedTensors& names) {
  require(x.defined(), "to_dot: the tensor is undefined");
  std::string text = "digraph {\n";
  if (!x.requires_grad()) return text + box(0, "", x.shape(), x.dtype()) + "}\n";
  auto leaf_names = names_of_leaves(names);
  const Graph graph(x.edge());
  for (size_t i = 0; i < graph.drawn.size(); ++i) {
    Node& node = *graph.drawn[i].node;
    const NodeOutput& first = node.outputs()[0];
    text += node.is_leaf() ? box(i, leaf_names[&node], first.shape, first.dtype) : op(i, graph.drawn[i]);
    for (const Edge& edge : node.edges()) {
      if (!edge) continue;
      const bool several = edge.node()->outputs().size() > 1;
      text += fmt::format("  n{} -> n{}{};\n", graph.number(edge), i,
                          several ? fmt::format(" [label=\"output {}\"]", edge.output) : "");
    }
  }
  return text + "}\n";
}

void write_dot(const Tensor& x, const std::filesystem::path& path, const NamedTensors& names) {
  const std::string text = to_dot(x, names);
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  require(!file.fail(), "write_dot: cannot write {}; is the folder there and writable?", path.string());
}

}  // namespace headwise
