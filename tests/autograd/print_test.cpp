// Tensors as text. What stands between `tensor(` and the shape is NumPy 1.24's:
// array2string(x, separator=', ', prefix='tensor(', suffix=',').
#include <limits>
#include <sstream>

#include "tests/support/tensors.h"

namespace headwise::testing {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = INFINITY;

}  // namespace

TEST_CASE("columns are aligned at their points", "[print]") {
  CHECK(to_string(from({{1.0f, 2.5f}, {0.0f, -1.0f}})) ==
        "tensor([[ 1. ,  2.5],\n"
        "        [ 0. , -1. ]], shape [2, 2], f32)");
  CHECK(to_string(from({99999999.0, 1e5})) == "tensor([99999999.,   100000.], shape [2], f64)");
  CHECK(to_string(from({1e-4, 0.05})) == "tensor([0.0001, 0.05  ], shape [2], f64)");
}

TEST_CASE("floats show the fewest digits that their own dtype needs", "[print]") {
  CHECK(to_string(from({0.1f, 1.0f / 3, 100.0f})) ==
        "tensor([  0.1       ,   0.33333334, 100.        ], shape [3], f32)");
  CHECK(to_string(from({0.1, 1.0 / 3, 100.0})) ==
        "tensor([  0.1       ,   0.33333333, 100.        ], shape [3], f64)");
  CHECK(to_string(from({0.1f}), {.precision = 20}) == "tensor([0.1], shape [1], f32)");
  CHECK(to_string(from({static_cast<double>(0.1f)}), {.precision = 20}) ==
        "tensor([0.10000000149011612], shape [1], f64)");
}

TEST_CASE("precision cuts digits and never adds any", "[print]") {
  CHECK(to_string(from({0.5, 2.0 / 3, 1.0}), {.precision = 3}) ==
        "tensor([0.5  , 0.667, 1.   ], shape [3], f64)");
  CHECK(to_string(from({2.5, 1e3}), {.precision = 0}) == "tensor([   2., 1000.], shape [2], f64)");
}

TEST_CASE("the range decides on scientific notation", "[print]") {
  CHECK(to_string(from({1e8, 1.0})) == "tensor([1.e+08, 1.e+00], shape [2], f64)");
  CHECK(to_string(from({9e-5})) == "tensor([9.e-05], shape [1], f64)");
  CHECK(to_string(from({1.0, 1000.0})) == "tensor([   1., 1000.], shape [2], f64)");
  CHECK(to_string(from({1.0, 1001.0})) == "tensor([1.000e+00, 1.001e+03], shape [2], f64)");
  CHECK(to_string(from({1e-300, -2.5})) == "tensor([ 1.0e-300, -2.5e+000], shape [2], f64)");
  CHECK(to_string(from({3.952289f, 1e-9f, 1.234e-9f})) ==
        "tensor([3.952289e+00, 1.000000e-09, 1.234000e-09], shape [3], f32)");
  // The nearest f32 to 79283090 is 79283088.
  CHECK(to_string(from({79283090.0f, 1.2345678f})) ==
        "tensor([7.9283088e+07, 1.2345678e+00], shape [2], f32)");
}

TEST_CASE("infinities and NaN stand at the right of their column", "[print]") {
  CHECK(to_string(from({nan, -inf, 1.5, -0.0})) == "tensor([ nan, -inf,  1.5, -0. ], shape [4], f64)");
  CHECK(to_string(from({nan, inf})) == "tensor([nan, inf], shape [2], f64)");
  CHECK(to_string(from({-nan, 1e10})) == "tensor([   nan, 1.e+10], shape [2], f64)");
}

TEST_CASE("integers and booleans fill their columns", "[print]") {
  CHECK(to_string(from<int64_t>({{1, -20}, {300, 4}})) ==
        "tensor([[  1, -20],\n"
        "        [300,   4]], shape [2, 2], i64)");
  CHECK(to_string(from({std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()})) ==
        "tensor([-9223372036854775808,  9223372036854775807], shape [2], i64)");
  CHECK(to_string(from({{true, false}, {true, true}})) ==
        "tensor([[ True, False],\n"
        "        [ True,  True]], shape [2, 2], bool)");
}

TEST_CASE("tensors of rank 0, without elements and undefined ones have a text", "[print]") {
  CHECK(to_string(full({}, -1.5)) == "tensor(-1.5, shape [], f32)");
  CHECK(to_string(full({}, 1e10, f64)) == "tensor(1.e+10, shape [], f64)");
  CHECK(to_string(full({}, nan)) == "tensor(nan, shape [], f32)");
  CHECK(to_string(full({}, 7, i64)) == "tensor(7, shape [], i64)");
  CHECK(to_string(full({}, 1, boolean)) == "tensor(True, shape [], bool)");
  CHECK(to_string(zeros({0})) == "tensor([], shape [0], f32)");
  CHECK(to_string(zeros({2, 0, 3}, i64)) == "tensor([], shape [2, 0, 3], i64)");
  CHECK(to_string(Tensor()) == "tensor(undefined)");
}

TEST_CASE("blank lines part the blocks of higher axes", "[print]") {
  CHECK(to_string(arange(8, f32).view({2, 2, 2})) == R"(tensor([[[0., 1.],
         [2., 3.]],

        [[4., 5.],
         [6., 7.]]], shape [2, 2, 2], f32))");
  CHECK(to_string(arange(4).view({2, 1, 1, 2})) == R"(tensor([[[[0, 1]]],


        [[[2, 3]]]], shape [2, 1, 1, 2], i64))");
}

TEST_CASE("long rows are wrapped", "[print]") {
  CHECK(to_string(arange(12, f64).view({3, 4}), {.line_width = 20}) == R"(tensor([[ 0.,  1.,
          2.,  3.],
        [ 4.,  5.,
          6.,  7.],
        [ 8.,  9.,
         10., 11.]],
       shape [3, 4], f64))");
  CHECK(to_string(arange(30, f64) * 0.125) ==
        R"(tensor([0.   , 0.125, 0.25 , 0.375, 0.5  , 0.625, 0.75 , 0.875, 1.   ,
        1.125, 1.25 , 1.375, 1.5  , 1.625, 1.75 , 1.875, 2.   , 2.125,
        2.25 , 2.375, 2.5  , 2.625, 2.75 , 2.875, 3.   , 3.125, 3.25 ,
        3.375, 3.5  , 3.625], shape [30], f64))");
}

TEST_CASE("a row is wrapped only where it would pass the width", "[print]") {
  const Tensor row = from<int64_t>({0, 111, 222, 333}), nested = row.view({1, 2, 2});
  const std::string tail = ",\n       shape [4], i64)", nested_tail = ",\n       shape [1, 2, 2], i64)";
  CHECK(to_string(row, {.line_width = 28}) == "tensor([  0, 111, 222, 333]" + tail);
  CHECK(to_string(row, {.line_width = 27}) == "tensor([  0, 111, 222,\n        333]" + tail);
  // Three brackets close after the last element.
  CHECK(to_string(nested, {.line_width = 22}) == "tensor([[[  0, 111],\n         [222, 333]]]" + nested_tail);
  CHECK(to_string(nested, {.line_width = 21}) ==
        "tensor([[[  0,\n          111],\n         [222,\n          333]]]" + nested_tail);
  // The shape stays on the last line as long as it fits.
  CHECK(to_string(row, {.line_width = 44}) == "tensor([  0, 111, 222, 333], shape [4], i64)");
  CHECK(to_string(row, {.line_width = 43}) == "tensor([  0, 111, 222, 333]" + tail);
}

TEST_CASE("large tensors show their edges", "[print]") {
  CHECK(to_string(arange(1001)) == "tensor([   0,    1,    2, ...,  998,  999, 1000], shape [1001], i64)");
  CHECK(to_string(arange(1200).view({2, 600})) == R"(tensor([[   0,    1,    2, ...,  597,  598,  599],
        [ 600,  601,  602, ..., 1197, 1198, 1199]], shape [2, 600], i64))");
  CHECK(to_string(arange(10), {.threshold = 5, .edge_items = 2}) ==
        "tensor([0, 1, ..., 8, 9], shape [10], i64)");
  CHECK(to_string(arange(6), {.threshold = 0}) == "tensor([0, 1, 2, 3, 4, 5], shape [6], i64)");
  CHECK(to_string(arange(24).view({4, 6}), {.threshold = 0, .edge_items = 1}) ==
        R"(tensor([[ 0, ...,  5],
        ...,
        [18, ..., 23]], shape [4, 6], i64))");
  const Tensor turned = (arange(1600, f64) * 0.5).view({40, 40}).transpose(0, 1);
  CHECK(to_string(turned, {.edge_items = 1}) == R"(tensor([[  0. , ..., 780. ],
        ...,
        [ 19.5, ..., 799.5]], shape [40, 40], f64))");
}

TEST_CASE("the edges of a tensor are read and nothing else", "[print]") {
  // A million million elements that share one, and a NaN in the middle that would widen its column.
  CHECK(to_string(full({}, 2).expand({1000000, 1000000}), {.edge_items = 1}) == R"(tensor([[2., ..., 2.],
        ...,
        [2., ..., 2.]], shape [1000000, 1000000], f32))");
  Tensor x = zeros({2001});
  x.slice(0, 1000, 1001).fill(nan);
  CHECK(to_string(x) == "tensor([0., 0., 0., ..., 0., 0., 0.], shape [2001], f32)");
}

TEST_CASE("tensors go into fmt and streams", "[print]") {
  const Tensor x = from({0.125, 2.0}).set_requires_grad(true);
  std::ostringstream stream;
  stream << x;
  CHECK(stream.str() == to_string(x));
  CHECK(fmt::format("x = {}", x) == "x = tensor([0.125, 2.   ], shape [2], f64)");
  CHECK(fmt::format("{:.2}", x) == to_string(x, {.precision = 2}));
  CHECK(fmt::format("{:.12}", x) == to_string(x));
  for (const char* wrong : {"{:.}", "{:8}", "{:.2f}"})
    CHECK_THROWS_AS(fmt::format(fmt::runtime(wrong), x), fmt::format_error);
}

TEST_CASE("print options out of range are refused", "[print]") {
  check_error([] { to_string(zeros({2}), {.precision = -1}); }, {"to_string", "precision", "-1"});
  check_error([] { to_string(zeros({2}), {.edge_items = 0}); }, {"to_string", "edge_items", "0"});
}

}  // namespace headwise::testing
