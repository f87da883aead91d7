"""What a reference case is, how its numbers are drawn and how it is written."""

import json
import math
import random
from dataclasses import dataclass, field
from typing import Any, Callable

import torch
from torch import Tensor

Shape = tuple[int, ...]
LARGEST = 24  # elements of a tensor


@dataclass(frozen=True)
class Case:
    """`function` of `inputs`; `attributes` say what it does to a reader of the file who knows the op by name."""

    function: Callable[..., Tensor]
    inputs: list[Tensor]
    attributes: dict[str, Any] = field(default_factory=dict)


class Draw:
    """Shapes and numbers for one case, from Python's own generator: the same on every machine."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)

    def choice(self, options: Any) -> Any:
        return self._random.choice(list(options))

    def flag(self) -> bool:
        return self._random.random() < 0.5

    def shape(self, least: int = 0, most: int = 3, empty: bool = True) -> Shape:
        """Of `least` to `most` axes, now and then with an axis of size 1 or, if allowed, of size 0."""
        sizes: list[int] = []
        for _ in range(self._random.randint(least, most)):
            fitting = [n for n in (1, 2, 2, 3, 3, 4, 5) if n * math.prod(sizes) <= LARGEST]
            sizes.append(self.choice(fitting))
        if empty and sizes and self._random.random() < 0.1:
            sizes[self._random.randrange(len(sizes))] = 0
        return tuple(sizes)

    def axis(self, shape: Shape) -> int:
        return self._random.randrange(-len(shape), len(shape))

    def axes(self, shape: Shape) -> list[int]:
        """Some axes, of either sign; none at all stand for all of them."""
        chosen = self._random.sample(range(len(shape)), self._random.randint(0, min(3, len(shape))))
        return [axis - len(shape) if self.flag() else axis for axis in chosen]

    def order(self, count: int) -> list[int]:
        return self._random.sample(range(count), count)

    def broadcasting(self, count: int) -> list[Shape]:
        """Shapes that broadcast with one another."""
        whole = self.shape(1, 3)
        shapes = []
        for _ in range(count):
            kept = whole[self._random.randrange(len(whole) + 1):] if self._random.random() < 0.3 else whole
            shapes.append(tuple(1 if self._random.random() < 0.25 else n for n in kept))
        return shapes

    def _tensor(self, shape: Shape, number: Callable[[], float]) -> Tensor:
        values = [round(number(), 3) for _ in range(math.prod(shape))]
        return torch.tensor(values, dtype=torch.float64).reshape(shape)

    def normal(self, shape: Shape, scale: float = 1.0) -> Tensor:
        """At least 0.01 away from 0, where some functions have a kink."""

        def number() -> float:
            value = 0.0
            while abs(value) < 0.01:
                value = self._random.gauss(0.0, scale)
            return value

        return self._tensor(shape, number)

    def uniform(self, shape: Shape, low: float, high: float) -> Tensor:
        return self._tensor(shape, lambda: self._random.uniform(low, high))

    def distinct(self, shape: Shape) -> Tensor:
        """Values at least 0.1 apart and away from 0: no tie and no kink nearby."""
        count = math.prod(shape)
        ranks = iter(self.order(count))
        return self._tensor(shape, lambda: 0.1 * (next(ranks) - count // 2) + 0.05)

    def integers(self, shape: Shape, bound: int) -> Tensor:
        values = [self._random.randrange(bound) for _ in range(math.prod(shape))]
        return torch.tensor(values, dtype=torch.int64).reshape(shape)

    def mask(self, shape: Shape, share: float = 0.6) -> Tensor:
        values = [self._random.random() < share for _ in range(math.prod(shape))]
        return torch.tensor(values, dtype=torch.bool).reshape(shape)


Recipe = Callable[[Draw], Case]


def as_json(x: Tensor) -> dict[str, Any]:
    values = x.detach().flatten().tolist()
    return {"shape": list(x.shape), "values": [int(v) for v in values] if x.dtype == torch.bool else values}


def asking(case: Case) -> list[Tensor]:
    return [x.detach().clone().requires_grad_() for x in case.inputs]


def _check_by_differences(check: Callable[..., bool], case: Case) -> None:
    inputs = asking(case)
    if any(x.numel() == 0 for x in [*inputs, case.function(*inputs)]):
        return
    assert check(case.function, inputs, atol=1e-6, rtol=1e-5)


def _head(op: str, case: Case) -> dict[str, Any]:
    return {"op": op, "attributes": case.attributes, "inputs": [as_json(x) for x in case.inputs]}


def first_order(op: str, case: Case, draw: Draw) -> str:
    """The output, and the gradients of <cotangent, output>, which finite differences confirm."""
    inputs = asking(case)
    output = case.function(*inputs)
    cotangent = draw.normal(tuple(output.shape))
    gradients = torch.autograd.grad(output, inputs, cotangent)
    if output.dtype == torch.float64 and op != "to":
        _check_by_differences(torch.autograd.gradcheck, case)
    return json.dumps({**_head(op, case), "cotangent": as_json(cotangent), "output": as_json(output),
                       "gradients": [as_json(g) for g in gradients]}, allow_nan=False)


def second_order(op: str, case: Case, draw: Draw) -> str:
    """The gradients of <directions, gradients of <cotangent, output>> to the inputs and to the cotangent."""
    inputs = asking(case)
    output = case.function(*inputs)
    cotangent = draw.normal(tuple(output.shape)).requires_grad_()
    gradients = torch.autograd.grad(output, inputs, cotangent, create_graph=True)
    directions = [draw.normal(tuple(g.shape)) for g in gradients]
    mixed = torch.stack([(g * w).sum() for g, w in zip(gradients, directions)]).sum()
    mixed = mixed + 0 * cotangent.sum()  # keeps a graph where the gradient is constant
    sources = [*inputs, cotangent]
    found = torch.autograd.grad(mixed, sources, allow_unused=True)
    second = [torch.zeros_like(x) if g is None or g._is_zerotensor() else g for x, g in zip(sources, found)]
    if op != "to":
        _check_by_differences(torch.autograd.gradgradcheck, case)
    return json.dumps({**_head(op, case), "cotangent": as_json(cotangent),
                       "directions": [as_json(w) for w in directions],
                       "gradients": [as_json(g) for g in second[:-1]],
                       "cotangent_gradient": as_json(second[-1])}, allow_nan=False)
