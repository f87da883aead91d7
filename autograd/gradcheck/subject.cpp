#include "headwise/autograd/gradcheck/subject.h"

#include "headwise/autograd/backward.h"
#include "headwise/autograd/grad_mode.h"
#include "headwise/autograd/ops/creation.h"

namespace headwise::checking {

Subject::Subject(const TensorFunction& f, const std::vector<Tensor>& inputs, std::vector<std::string> names)
    : f_(f), names_(std::move(names)) {
  for (const Tensor& input : inputs) inputs_.push_back(input.detach().clone());
  for (size_t i = names_.size(); i < inputs.size(); ++i) names_.push_back(fmt::format("input {}", i));
  names_.resize(inputs.size());
}

Tensor Subject::value(const std::vector<Tensor>& at) const {
  const NoGrad guard;
  std::vector<uint32_t> versions;
  for (const Tensor& x : at) versions.push_back(x.version());
  const Tensor output = f_(at);
  for (size_t i = 0; i < at.size(); ++i)
    require(at[i].version() == versions[i],
            "gradcheck: f changed {} of shape {} in place; let it work on a clone()", names_[i],
            at[i].shape());
  require_output("gradcheck", output);
  return output.detach().contiguous();
}

Tensor Subject::value_with(size_t input, Tensor moved, const Shape& shape) const {
  std::vector<Tensor> at = inputs_;
  at[input] = std::move(moved);
  Tensor output = value(at);
  require(output.shape() == shape, "gradcheck: f gave shape {} at the inputs and {} beside them", shape,
          output.shape());
  return output;
}

Subject::Recorded Subject::record(Layout layout) const {
  const GradMode recording(true);
  Recorded result;
  for (const Tensor& input : inputs_) {
    Tensor copy = input.clone();
    if (layout == Layout::spread) copy = spread(copy);
    if (input.dtype() == f64) copy.set_requires_grad(true);
    result.leaves_.push_back(std::move(copy));
  }
  result.output_ = f_(result.leaves_);
  require_output("gradcheck", result.output_);
  return result;
}

std::vector<Tensor> Subject::Recorded::gradients(const std::vector<size_t>& inputs,
                                                 const Tensor& cotangent) const {
  std::vector<Tensor> wanted;
  for (const size_t i : inputs) wanted.push_back(leaves_[i]);
  std::vector<Tensor> result(wanted.size());
  if (output_.requires_grad())
    result = grad(std::vector{output_}, wanted, std::vector{cotangent},
                  {.retain_graph = true, .allow_unused = true});
  for (Tensor& gradient : result)
    if (gradient.defined()) gradient = gradient.contiguous();
  return result;
}

void require_output(const char* op, const Tensor& output) {
  require(output.defined() && output.dtype() == f64, "{}: the output of f must be f64, got {}", op,
          output.defined() ? name_of(output.dtype()) : "an undefined tensor");
}

Tensor spread(const Tensor& x) { return x.rank() < 2 ? x : x.transpose(0, -1).contiguous().transpose(0, -1); }

Tensor draw(uint64_t seed, const char* purpose, uint64_t index, const Shape& shape) {
  Rng rng = Rng(seed).derive(purpose, index);
  return randn(shape, rng, f64);
}

}  // namespace headwise::checking
