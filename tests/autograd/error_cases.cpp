#include "tests/autograd/op_cases.h"

namespace headwise::testing {

std::vector<ErrorCase> error_cases() {
  const Tensor x = ones({2, 3}), y = ones({2}), d = ones({2, 3}, f64), n = ones({2, 3}, i64),
               m = ones({2, 3}, boolean);
  const Tensor q = ones({1, 2, 3, 4});
  auto run = [](auto f) { return [f] { static_cast<void>(f()); }; };
  return {
      {"add", "clashing shapes", run([=] { return x + y; }), {"add", "[2, 3]", "[2]", "3 and 2", "axis -1"}},
      {"add", "mixed dtypes", run([=] { return x + d; }), {"add", "f32", "f64"}},
      {"sub", "mixed dtypes", run([=] { return x - n; }), {"sub", "f32", "i64"}},
      {"mul", "bool", run([=] { return m * m; }), {"mul", "bool"}},
      {"div", "integers", run([=] { return n / n; }), {"div", "i64"}},
      {"neg", "bool", run([=] { return -m; }), {"neg", "bool"}},
      {"zero_safe_mul",
       "clashing shapes",
       run([=] { return zero_safe_mul(x, y); }),
       {"zero_safe_mul", "[2, 3]"}},
      {"exp", "integers", run([=] { return exp(n); }), {"exp", "i64"}},
      {"log", "integers", run([=] { return log(n); }), {"log", "i64"}},
      {"sqrt", "bool", run([=] { return sqrt(m); }), {"sqrt", "bool"}},
      {"tanh", "integers", run([=] { return tanh(n); }), {"tanh", "i64"}},
      {"relu", "integers", run([=] { return relu(n); }), {"relu", "i64"}},
      {"gelu", "integers", run([=] { return gelu(n); }), {"gelu", "i64"}},
      {"erf", "integers", run([=] { return erf(n); }), {"erf", "i64"}},
      {"where", "mask of numbers", run([=] { return where(x, x, x); }), {"where", "bool", "f32"}},
      {"where", "mixed dtypes", run([=] { return where(m, x, d); }), {"where", "f32", "f64"}},
      {"masked_fill",
       "mask too large",
       run([=] {
         return masked_fill(y, ones({3, 2}, boolean), 0);
       }),
       {"masked_fill", "[3, 2]", "[2]"}},
      {"sum", "axis out of range", run([=] { return sum(x, {3}); }), {"sum", "axis 3", "[2, 3]"}},
      {"sum",
       "axis twice",
       run([=] {
         return sum(x, {0, -2});
       }),
       {"sum", "twice"}},
      {"sum", "mean of nothing", run([=] { return mean(ones({0})); }), {"mean", "[0]"}},
      {"max",
       "of nothing",
       run([=] {
         return max(ones({2, 0}), {1});
       }),
       {"max", "[2, 0]"}},
      {"logsumexp", "axis out of range", run([=] { return logsumexp(x, 2); }), {"logsumexp", "axis 2"}},
      {"softmax",
       "axis out of range",
       run([=] { return softmax(x, 3); }),
       {"softmax: axis 3 is out of range for shape [2, 3]"}},
      {"softmax", "integers", run([=] { return softmax(n, 0); }), {"softmax", "i64"}},
      {"log_softmax",
       "axis out of range",
       run([=] { return log_softmax(x, -3); }),
       {"log_softmax", "axis -3"}},
      {"matmul", "inner sizes", run([=] { return matmul(x, x); }), {"matmul", "[2, 3]", "3 and 2"}},
      {"matmul", "rank", run([=] { return matmul(x, y); }), {"matmul", "two axes", "[2]"}},
      {"matmul", "mixed dtypes", run([=] { return matmul(x, d.transpose(0, 1)); }), {"matmul", "f32", "f64"}},
      {"linear",
       "width",
       run([=] {
         return linear(x, ones({4, 2}));
       }),
       {"linear", "[2, 3]", "[4, 2]"}},
      {"linear",
       "bias",
       run([=] {
         return linear(x, ones({4, 3}), ones({3}));
       }),
       {"linear", "bias", "[3]"}},
      {"view", "too few elements", run([=] { return x.view({4}); }), {"view", "[2, 3]", "[4]"}},
      {"view",
       "needs a copy",
       run([=] { return x.transpose(0, 1).view({6}); }),
       {"view", "without copying", "reshape"}},
      {"permute",
       "axis twice",
       run([=] {
         return x.permute({0, 0});
       }),
       {"permute", "twice"}},
      {"permute", "too few axes", run([=] { return x.permute({0}); }), {"permute", "1 axes", "[2, 3]"}},
      {"expand",
       "wrong size",
       run([=] {
         return x.expand({2, 4});
       }),
       {"expand", "[2, 3]", "[2, 4]"}},
      {"slice", "axis out of range", run([=] { return x.slice(2, 0, 1); }), {"slice", "axis 2"}},
      {"slice", "index out of range", run([=] { return x.select(1, 3); }), {"select", "index 3", "[2, 3]"}},
      {"pad", "through slice of no axis", run([=] { return ones({}).slice(0, 0, 1); }), {"slice", "axis 0"}},
      {"clone",
       "into the wrong dtype",
       run([=] {
         Tensor t = x.clone();
         return t.copy_from(d);
       }),
       {"copy_from", "f32", "f64"}},
      {"to",
       "gradient of integers",
       run([=] { return x.to(i64).set_requires_grad(true); }),
       {"set_requires_grad", "i64"}},
      {"cat", "nothing", run([=] { return cat(std::span<const Tensor>(), 0); }), {"cat", "no tensors"}},
      {"cat",
       "shapes",
       run([=] {
         return cat({x, ones({2, 4})}, 0);
       }),
       {"cat", "[2, 3]", "[2, 4]"}},
      {"identity",
       "in-place change of a result",
       run([=] {
         Tensor t = identity(x.clone().set_requires_grad(true));
         return t.fill(0);
       }),
       {"copy_from", "NoGrad"}},
      {"gather",
       "index out of range",
       run([=] {
         return gather(x, 1, full({2, 1}, 3, i64));
       }),
       {"gather", "index 3", "size 3"}},
      {"gather",
       "index shape",
       run([=] {
         return gather(x, 1, full({3, 1}, 0, i64));
       }),
       {"gather", "[3, 1]", "[2, 3]"}},
      {"scatter_add",
       "values and index differ",
       run([=] {
         return scatter_add(x, 1, full({2, 1}, 0, i64), {2, 3});
       }),
       {"scatter_add", "[2, 3]", "[2, 1]"}},
      {"embedding",
       "out of table",
       run([=] {
         return embedding(x, from<int64_t>({0, 2}));
       }),
       {"embedding", "index 2", "position 1", "size 2"}},
      {"embedding",
       "negative",
       run([=] { return embedding(x, from<int64_t>({-1})); }),
       {"embedding", "index -1"}},
      {"embedding_grad", "float indices", run([=] { return embedding(x, y); }), {"embedding", "i64", "f32"}},
      {"cross_entropy",
       "no such class",
       run([=] {
         return cross_entropy(x, from<int64_t>({0, 3})).loss;
       }),
       {"cross_entropy", "target 3", "position 1", "3 classes"}},
      {"cross_entropy",
       "batch sizes",
       run([=] { return cross_entropy(x, from<int64_t>({0})).loss; }),
       {"cross_entropy", "[2, 3]", "[1]"}},
      {"mse_loss",
       "shapes",
       run([=] {
         return mse_loss(x, ones({2, 1}));
       }),
       {"mse_loss", "[2, 3]", "[2, 1]"}},
      {"layer_norm", "gain", run([=] { return layer_norm(x, y, {}); }), {"layer_norm", "[3]", "[2]"}},
      {"dropout",
       "NaN",
       run([=] {
         Rng rng(1);
         return dropout(x, NAN, rng);
       }),
       {"dropout", "p", "nan"}},
      {"dropout",
       "above 1",
       run([=] {
         Rng rng(1);
         return dropout(x, 1.5, rng);
       }),
       {"dropout", "1.5"}},
      {"scaled_dot_product_attention",
       "rank",
       run([=] { return scaled_dot_product_attention(x, x, x).output; }),
       {"query", "[2, 3]"}},
      {"scaled_dot_product_attention",
       "widths",
       run([=] {
         return scaled_dot_product_attention(q, ones({1, 2, 3, 5}), q).output;
       }),
       {"width 4", "width 5"}},
      {"scaled_dot_product_attention",
       "lengths",
       run([=] {
         return scaled_dot_product_attention(q, q, ones({1, 2, 5, 4})).output;
       }),
       {"3 keys", "5 values"}},
      {"scaled_dot_product_attention",
       "numbers as a mask",
       run([=] {
         return scaled_dot_product_attention(q, q, q, {.allowed = ones({3, 3})}).output;
       }),
       {"allowed", "bool", "bias"}},
      {"scaled_dot_product_attention",
       "mask as a bias",
       run([=] {
         return scaled_dot_product_attention(q, q, q, {.bias = ones({3, 3}, boolean)}).output;
       }),
       {"bias", "allowed"}},
      {"scaled_dot_product_attention",
       "empty query",
       run([=] {
         return scaled_dot_product_attention(
                    q, q, q, {.allowed = zeros({3, 3}, boolean), .refuse_empty_queries = true})
             .output;
       }),
       {"batch 0", "head 0", "query 0"}},
  };
}

}  // namespace headwise::testing
