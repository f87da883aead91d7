"""Makes reference values and gradients for single operations, in float64, with PyTorch.

    python3 tests/reference/make_op_reference.py > tests/data/op_reference.json

Needs only torch (CPU; written with 1.13). Each case holds the inputs, the output, a random cotangent of the output,
and the gradient of sum(output * output_cotangent) to each input, which is checked by finite differences.

Inputs are rounded to three decimals and come from Python's own generator, seeded by the case's number,
so they are the same everywhere; results can differ in the last digits between machines.
"""

import json
import math
import random
from typing import Any, Callable, Iterator

import torch
import torch.nn.functional as F
from torch import Tensor

Shape = tuple[int, ...]
Operation = Callable[..., Tensor]
Attributes = dict[str, Any]

ELEMENTWISE: dict[str, Operation] = {
    "exp": torch.exp, "log": torch.log, "sqrt": torch.sqrt, "tanh": torch.tanh, "relu": torch.relu, "gelu": F.gelu}
ALONG_AXIS: dict[str, Operation] = {
    "softmax": lambda x, axis: x.softmax(axis),
    "log_softmax": lambda x, axis: x.log_softmax(axis),
    "logsumexp": lambda x, axis, keepdim: x.logsumexp(axis, keepdim),
    "sum": lambda x, axis, keepdim: x.sum(axis, keepdim),
    "mean": lambda x, axis, keepdim: x.mean(axis, keepdim),
    "max": lambda x, axis, keepdim: x.amax(axis, keepdim)}
POSITIVE = ("log", "sqrt")
REDUCING = ("logsumexp", "sum", "mean", "max")


def layer_norm(x: Tensor, weight: Tensor, bias: Tensor, eps: float) -> Tensor:
    return F.layer_norm(x, weight.shape, weight, bias, eps)


def cross_entropy(logits: Tensor, targets: list[int]) -> Tensor:
    """Mean over the rows of -log softmax(row)[target]."""
    return F.cross_entropy(logits, torch.tensor(targets))


def cases() -> Iterator[tuple[str, Operation, list[Shape], Attributes]]:
    for name, operation in ELEMENTWISE.items():
        for shape in ((7,), (3, 5), (2, 1, 3)):
            yield name, operation, [shape], {}
    for name, operation in ALONG_AXIS.items():
        for shape, axis in (((5,), 0), ((3, 5), -1), ((2, 3, 5), 1)):
            keepdim = {"keepdim": len(shape) == 3} if name in REDUCING else {}
            yield name, operation, [shape], {"axis": axis, **keepdim}
    for shape in ((5,), (3, 7), (2, 3, 5)):
        yield "layer_norm", layer_norm, [shape, shape[-1:], shape[-1:]], {"eps": 1e-5}
    for shape, targets in (((1, 3), [2]), ((3, 5), [4, 0, 0]), ((5, 2), [1, 0, 1, 1, 0])):
        yield "cross_entropy", cross_entropy, [shape], {"targets": targets}
    for shape in ((1,), (3, 5), (2, 3, 3)):
        yield "mse_loss", F.mse_loss, [shape, shape], {}
    for left, right in (((3, 5), (5, 2)), ((2, 3, 5), (2, 5, 1)), ((3, 5), (2, 5, 3)), ((2, 1, 3, 5), (3, 5, 2))):
        yield "matmul", torch.matmul, [left, right], {}


def draw(generator: random.Random, shape: Shape, positive: bool = False) -> Tensor:
    """Values at least 0.01 away from 0, where relu has no derivative."""
    values = []
    while len(values) < math.prod(shape):
        value = round(generator.gauss(0.0, 1.0), 3)
        if abs(value) >= 0.01:
            values.append(abs(value) if positive else value)
    return torch.tensor(values, dtype=torch.float64).reshape(shape)


def as_json(x: Tensor) -> dict[str, Any]:
    return {"shape": list(x.shape), "values": x.flatten().tolist()}


def make_case(number: int, name: str, operation: Operation, shapes: list[Shape], attributes: Attributes) -> str:
    generator = random.Random(number)
    inputs = [draw(generator, shape, name in POSITIVE).requires_grad_() for shape in shapes]
    output = operation(*inputs, **attributes)
    cotangent = draw(generator, tuple(output.shape))
    gradients = torch.autograd.grad((output * cotangent).sum(), inputs)
    assert torch.autograd.gradcheck(lambda *x: operation(*x, **attributes), inputs, atol=1e-7, rtol=1e-5)
    return json.dumps({"op": name, "inputs": [as_json(x) for x in inputs], "attributes": attributes,
                       "output": as_json(output), "output_cotangent": as_json(cotangent),
                       "gradients": [as_json(g) for g in gradients]}, allow_nan=False)


def main() -> None:
    torch.set_num_threads(1)
    lines = [make_case(number, *case) for number, case in enumerate(cases())]
    print(f'{{"source": "PyTorch {torch.__version__}, float64",\n"cases": [\n' + ",\n".join(lines) + "\n]}")


if __name__ == "__main__":
    main()
