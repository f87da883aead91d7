#include "headwise/autograd/function.h"

#include "headwise/autograd/record.h"

namespace headwise {
namespace {

std::vector<uint32_t> versions_of(const std::vector<Tensor>& tensors) {
  std::vector<uint32_t> versions;
  for (const Tensor& x : tensors) versions.push_back(x.defined() ? x.version() : 0);
  return versions;
}

class FunctionNode final : public Node {
 public:
  FunctionNode(const Function& function, std::vector<Edge> edges, size_t outputs)
      : name_(function.name),
        vjp_(function.vjp),
        once_(function.once_differentiable),
        edges_(std::move(edges)),
        outputs_(outputs) {}

  const char* name() const override { return name_.c_str(); }
  std::span<Edge> edges() override { return edges_; }
  std::span<NodeOutput> outputs() override { return outputs_; }
  std::span<const Saved> saved() const override { return saved_; }
  void free_saved() override {
    freed_ = freed_ || !saved_.empty();
    saved_.clear();
  }
  bool freed() const override { return freed_; }

  void vjp(Vjp& v) override {
    require(!once_ || !grad_enabled(),
            "backward of {}: it is declared once_differentiable and its backward pass cannot be recorded; "
            "write its vjp in tensor ops, or leave out create_graph",
            name_);
    FunctionVjp call;
    for (const Saved& value : saved_) call.saved.push_back(value.restore(*this));
    for (size_t i = 0; i < outputs_.size(); ++i)
      call.cotangents.push_back(is_floating(outputs_[i].dtype) ? v.cotangent(i) : Tensor());
    for (size_t i = 0; i < edges_.size(); ++i) call.needed.push_back(v.needs(i));
    const std::vector<Tensor> cotangents = call.cotangents, saved = call.saved;
    const auto versions = versions_of(cotangents), saved_versions = versions_of(saved);
    std::vector<Tensor> gradients = vjp_(call);
    require_unchanged(cotangents, versions, "cotangent");
    require_unchanged(saved, saved_versions, "saved value");
    require(gradients.size() == edges_.size(),
            "backward of {}: {} inputs, but its vjp returned {} gradients; return one per input, in their "
            "order, undefined where it is zero or not wanted",
            name_, edges_.size(), gradients.size());
    for (size_t i = 0; i < gradients.size(); ++i) {
      if (!v.needs(i) || !gradients[i].defined()) continue;
      // A pass that is not recorded hands on values alone.
      const bool outside = !grad_enabled() && gradients[i].requires_grad();
      v.give(i, outside ? gradients[i].detach() : std::move(gradients[i]));
    }
  }

  void require_unchanged(const std::vector<Tensor>& given, const std::vector<uint32_t>& versions,
                         const char* what) const {
    const auto now = versions_of(given);
    for (size_t i = 0; i < given.size(); ++i)
      require(now[i] == versions[i],
              "backward of {}: its vjp changed {} {} in place, which others may share; clone() it first",
              name_, what, i);
  }

  void save(const Tensor& value, int own_output) { saved_.emplace_back(value, own_output); }

 private:
  std::string name_;
  std::function<std::vector<Tensor>(const FunctionVjp&)> vjp_;
  bool once_;
  std::vector<Edge> edges_;
  std::vector<NodeOutput> outputs_;
  std::vector<Saved> saved_;
  bool freed_ = false;
};

// Where `value` stands in `among`, or -1.
int position(const Tensor& value, const std::vector<Tensor>& among) {
  for (size_t i = 0; i < among.size(); ++i)
    if (value.defined() && among[i].defined() && among[i].data() == value.data()) return static_cast<int>(i);
  return -1;
}

FunctionForward run_forward(const Function& function, const std::vector<Tensor>& inputs) {
  require(!function.name.empty(), "Function: a name is missing");
  require(function.forward && function.vjp, "{}: both forward and vjp must be given", function.name);
  const auto versions = versions_of(inputs);
  const NoGrad guard;
  FunctionForward result = function.forward(inputs);
  const auto versions_after = versions_of(inputs);
  for (size_t i = 0; i < inputs.size(); ++i)
    require(versions_after[i] == versions[i],
            "{}: its forward changed input {} in place, which its derivative cannot say; clone() it first",
            function.name, i);
  require(!result.outputs.empty(), "{}: its forward returned no output", function.name);
  for (size_t i = 0; i < result.outputs.size(); ++i)
    require(result.outputs[i].defined(), "{}: output {} of its forward is undefined", function.name, i);
  return result;
}

void record_function(const Function& function, const std::vector<Tensor>& inputs,
                     const FunctionForward& result, std::vector<Tensor>& outputs) {
  std::vector<Edge> edges;
  uint64_t depth = 0;
  for (const Tensor& input : inputs) {
    edges.push_back(input.defined() ? input.edge() : Edge());
    if (edges.back()) depth = std::max(depth, edges.back().node()->depth + 1);
  }
  auto* node = new FunctionNode(function, std::move(edges), outputs.size());
  const auto holder = Reference<NodeBase>::adopt(node);
  node->depth = depth;
  for (const Tensor& value : result.saved) {
    const bool input = position(value, inputs) >= 0;
    const int output = input ? -1 : position(value, result.outputs);
    node->save(input || output >= 0 || !value.defined() ? value : value.detach(), output);
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    node->outputs()[i].shape = outputs[i].shape();
    node->outputs()[i].dtype = outputs[i].dtype();
    if (is_floating(outputs[i].dtype())) outputs[i].attach(Edge{holder, static_cast<uint32_t>(i)});
  }
}

}  // namespace

std::vector<Tensor> Function::apply(const std::vector<Tensor>& inputs) const {
  const FunctionForward result = run_forward(*this, inputs);
  std::vector<Tensor> outputs;
  // A tensor of its own per output: one that is an input, a leaf or given twice stays what it is elsewhere.
  for (const Tensor& output : result.outputs) outputs.push_back(output.detach());
  std::vector<const Tensor*> given;
  for (const Tensor& input : inputs) given.push_back(&input);
  if (op_mode::current() & op_mode::watched) {
    std::vector<Tensor*> returned;
    for (Tensor& output : outputs) returned.push_back(&output);
    anomaly::check_results(name.c_str(), returned, given);
  }
  if (needs_recording(given)) record_function(*this, inputs, result, outputs);
  return outputs;
}

Tensor Function::operator()(const std::vector<Tensor>& inputs) const {
  std::vector<Tensor> outputs = apply(inputs);
  require(outputs.size() == 1, "{}: it has {} outputs; call apply() for all of them", name, outputs.size());
  return std::move(outputs[0]);
}

}  // namespace headwise
