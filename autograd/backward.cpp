#include "headwise/autograd/backward.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "headwise/autograd/anomaly.h"
#include "headwise/autograd/grad_mode.h"
#include "headwise/autograd/node.h"
#include "headwise/autograd/ops/arithmetic.h"
#include "headwise/autograd/ops/creation.h"

namespace headwise {
namespace {

template <class T>
using PooledVector = std::vector<T, pool::Allocator<T>>;

// Adds in place where nobody else can see the sum, so that fan-out costs no buffer per contribution.
void accumulate(Tensor& sum, Tensor contribution) {
  if (!sum.defined()) {
    sum = std::move(contribution);
  } else if (!grad_enabled() && sum.owns_memory_alone()) {
    sum.add_scaled(contribution, 1.0);
  } else {
    sum = sum + contribution;
  }
}

// The tensors whose gradients grad() was asked for, and the nodes from which one of them can be reached.
class Targets {
 public:
  Targets(std::span<const Tensor> outputs, std::span<const Tensor> inputs) : gradients(inputs.size()) {
    for (const Tensor& input : inputs) {
      const Edge edge = input.edge();
      edges_.push_back(edge);
      if (!edge) continue;
      reaches_[edge.node()] = true;
      lowest_ = std::min(lowest_, edge.node()->depth);
    }
    for (const Tensor& output : outputs)
      if (const Edge edge = output.edge()) explore(edge.node());
  }

  bool reachable_from(Node* node) const {
    const auto found = reaches_.find(node);
    return found != reaches_.end() && found->second;
  }

  void capture(Node& node) {
    for (size_t i = 0; i < edges_.size(); ++i)
      if (edges_[i].holder.get() == &node) gradients[i] = result(node.outputs()[edges_[i].output].cotangent);
  }

  /// True when some target lies strictly below `node`.
  bool any_below(Node& node) const {
    const auto edges = node.edges();
    return std::any_of(edges.begin(), edges.end(),
                       [&](const Edge& edge) { return edge && reachable_from(edge.node()); });
  }

  std::vector<Tensor> gradients;

 private:
  // A gradient that is not recorded is the caller's own: neither a cotangent of theirs nor part of a graph.
  static Tensor result(const Tensor& cotangent) {
    const bool own = grad_enabled() || !cotangent.defined() ||
                     (cotangent.owns_memory_alone() && !cotangent.requires_grad());
    return own ? cotangent : cotangent.clone();
  }

  // Depth first with a stack of our own: a node is settled when all its inputs are.
  void explore(Node* root) {
    PooledVector<std::pair<Node*, size_t>> path;
    // A node reaches only nodes of lower depth.
    auto enter = [&](Node* node) {
      if (node->depth > lowest_ && visited_.emplace(node, true).second) path.emplace_back(node, 0);
    };
    enter(root);
    while (!path.empty()) {
      auto& [node, next] = path.back();
      const auto edges = node->edges();
      if (next < edges.size()) {
        if (const Edge& edge = edges[next++]) enter(edge.node());
      } else {
        if (any_below(*node)) reaches_[node] = true;
        path.pop_back();
      }
    }
  }

  template <class Value>
  using PooledMap = std::unordered_map<Node*, Value, std::hash<Node*>, std::equal_to<>,
                                       pool::Allocator<std::pair<Node* const, Value>>>;
  PooledVector<Edge> edges_;
  uint64_t lowest_ = std::numeric_limits<uint64_t>::max();
  PooledMap<bool> visited_, reaches_;
};

std::atomic<uint64_t> next_run{1};

// One backward pass: a heap of nodes that hold cotangents, deepest first and first come first among equals.
class Run {
 public:
  Run(bool retain, bool create_graph, Targets* targets)
      : retain_(retain),
        targets_(targets),
        mode_(create_graph),
        unwatched_(op_mode::watched, false),
        id_(next_run.fetch_add(1)) {}

  // Leaves no cotangent behind: those of the leaves, or after an exception all that were collected.
  ~Run() {
    for (const Waiting& waiting : heap_) release(*waiting.node);
  }

  // Holds the root, and by it every node below, until the run is over.
  void start(const Tensor& output, Tensor cotangent) {
    roots_.push_back(output.edge());
    deliver(roots_.back(), std::move(cotangent), nullptr, 0);
  }

  void finish() {
    while (!heap_.empty() && !only_leaves_left()) {
      std::pop_heap(heap_.begin(), heap_.end());
      const Releasing releasing{*heap_.back().node};
      heap_.pop_back();
      visit(releasing.node);
    }
    // All that may throw comes before the first change of a grad().
    std::sort_heap(heap_.begin(), heap_.end());
    std::reverse(heap_.begin(), heap_.end());
    for (const Waiting& waiting : heap_) settle(*waiting.node);
    for (const Waiting& waiting : heap_) accumulate_leaf(static_cast<LeafNode&>(*waiting.node));
  }

 private:
  // Inside DetectAnomaly. The ops within a vjp are not watched: the gradients that it gives are.
  bool watched() const { return unwatched_.before(); }

  // Leaves alone have depth 0.
  bool only_leaves_left() const { return heap_.front().depth == 0 && !targets_; }

  // What the vjp of `giver`, or else the caller, has for the tensor at an edge.
  void deliver(const Edge& edge, Tensor cotangent, Node* giver, size_t input) {
    Node& node = *edge.node();
    const NodeOutput& place = node.outputs()[edge.output];
    if (cotangent.shape() != place.shape || cotangent.dtype() != place.dtype) [[unlikely]]
      refuse(node, place, cotangent, giver, input);
    uint64_t owner = node.run.load(std::memory_order_relaxed);
    if (owner != id_) {
      require(owner == 0 && node.run.compare_exchange_strong(owner, id_),
              "backward: the graph at {} is being run by another call; run them one after the other",
              node.name());
      heap_.push_back({&node, node.depth, arrivals_++});
      std::push_heap(heap_.begin(), heap_.end());
    }
    accumulate(node.outputs()[edge.output].cotangent, std::move(cotangent));
  }

  [[noreturn]] static void refuse(Node& node, const NodeOutput& place, const Tensor& cotangent, Node* giver,
                                  size_t input) {
    require(giver, "backward: {} of shape {} and dtype {} was given a cotangent of shape {} and dtype {}",
            node.name(), place.shape, place.dtype, cotangent.shape(), cotangent.dtype());
    const bool unsummed = cotangent.shape() != place.shape && broadcasts_to(place.shape, cotangent.shape());
    fail("backward of {}: input {} has shape {} and dtype {}, but its gradient has shape {} and dtype {}{}",
         giver->name(), input, place.shape, place.dtype, cotangent.shape(), cotangent.dtype(),
         unsummed ? "; sum it over the axes along which the input was broadcast, with sum_to" : "");
  }

  struct Waiting {
    Node* node;
    uint64_t depth;
    uint64_t arrival;
    bool operator<(const Waiting& other) const {
      return depth != other.depth ? depth < other.depth : arrival > other.arrival;
    }
  };

  struct Releasing {
    Node& node;
    ~Releasing() { release(node); }
  };

  static void release(Node& node) {
    for (NodeOutput& output : node.outputs()) output.cotangent = Tensor();
    node.run.store(0, std::memory_order_release);
  }

  // Once all that is to reach a node has.
  void settle(Node& node) {
    if (!node.hooks && !watched()) [[likely]]
      return;
    if (node.hooks) run_hooks(node);
    if (watched()) anomaly::check_cotangents(node);
  }

  void visit(Node& node) {
    settle(node);
    if (targets_) {
      targets_->capture(node);
      if (!targets_->any_below(node)) return;
    }
    require(!node.freed(),
            "backward: the values saved by {} were freed by an earlier backward pass; keep them with "
            "{{.retain_graph = true}}",
            node.name());
    const auto edges = node.edges();
    PooledBools needed(edges.size());
    gradients_.assign(edges.size(), Tensor());
    for (size_t i = 0; i < edges.size(); ++i)
      needed[i] = edges[i] && (!targets_ || targets_->reachable_from(edges[i].node()));
    Vjp call(node, id_, {needed.data(), edges.size()}, gradients_);
    node.vjp(call);
    if (watched()) [[unlikely]]
      anomaly::check_gradients(node, gradients_);
    if (!retain_) node.free_saved();
    for (size_t i = 0; i < edges.size(); ++i)
      if (needed[i] && gradients_[i].defined()) deliver(edges[i], std::move(gradients_[i]), &node, i);
  }

  // What the caller or a graph still holds, be it the old gradient or the cotangent, is never written to.
  static void accumulate_leaf(LeafNode& leaf) {
    Tensor cotangent = std::move(leaf.outputs()[0].cotangent);
    if (!leaf.gradient.defined() && !grad_enabled() && !cotangent.owns_memory_alone())
      cotangent = cotangent.clone();
    accumulate(leaf.gradient, std::move(cotangent));
  }

  // std::vector<bool> has no contiguous data.
  class PooledBools {
   public:
    explicit PooledBools(size_t size) : large_(size > small_.size() ? size : 0) {}
    bool* data() { return large_.empty() ? small_.data() : reinterpret_cast<bool*>(large_.data()); }
    bool& operator[](size_t i) { return data()[i]; }

   private:
    std::array<bool, 8> small_{};
    PooledVector<char> large_;
  };

  bool retain_;
  Targets* targets_;
  GradMode mode_;
  op_mode::Scope unwatched_;
  uint64_t id_;
  uint64_t arrivals_ = 0;
  PooledVector<Edge> roots_;
  PooledVector<Waiting> heap_;
  PooledVector<Tensor> gradients_;
};

Tensor starting_cotangent(const char* op, const Tensor& output) {
  require(output.numel() == 1,
          "{}: the gradient of a tensor of shape {} needs a cotangent; only a scalar starts from 1", op,
          output.shape());
  return ones(output.shape(), output.dtype());
}

void require_graph(const char* op, const Tensor& output) {
  require(output.defined(), "{}: the output is undefined", op);
  require(output.requires_grad(),
          "{}: the output was computed from no tensor that requires a gradient, or under NoGrad; call "
          "set_requires_grad(true) on a leaf first",
          op);
}

}  // namespace

void backward(const Tensor& loss, const BackwardOptions& options) {
  require_graph("backward", loss);
  backward(loss, starting_cotangent("backward", loss), options);
}

void backward(const Tensor& output, const Tensor& cotangent, const BackwardOptions& options) {
  require_graph("backward", output);
  require(cotangent.defined(), "backward: the cotangent is undefined");
  Run run(options.retain_graph || options.create_graph, options.create_graph, nullptr);
  run.start(output, cotangent);
  run.finish();
}

std::vector<Tensor> grad(std::span<const Tensor> outputs, std::span<const Tensor> inputs,
                         std::span<const Tensor> cotangents, const GradOptions& options) {
  require(cotangents.empty() || cotangents.size() == outputs.size(),
          "grad: {} outputs were given {} cotangents", outputs.size(), cotangents.size());
  for (const Tensor& output : outputs) require_graph("grad", output);
  for (const Tensor& cotangent : cotangents) require(cotangent.defined(), "grad: a cotangent is undefined");
  for (const Tensor& input : inputs) require(input.defined(), "grad: an input is undefined");
  Targets targets(outputs, inputs);
  {
    Run run(options.retain_graph || options.create_graph, options.create_graph, &targets);
    for (size_t i = 0; i < outputs.size(); ++i)
      run.start(outputs[i], cotangents.empty() ? starting_cotangent("grad", outputs[i]) : cotangents[i]);
    run.finish();
  }
  for (size_t i = 0; i < inputs.size(); ++i)
    require(targets.gradients[i].defined() || options.allow_unused,
            "grad: no output depends on input {} of shape {}; pass {{.allow_unused = true}} to leave it "
            "undefined",
            i, inputs[i].shape());
  return std::move(targets.gradients);
}

std::vector<Tensor> grad(const Tensor& output, std::initializer_list<Tensor> inputs,
                         const GradOptions& options) {
  return grad({&output, 1}, {inputs.begin(), inputs.size()}, {}, options);
}

}  // namespace headwise
