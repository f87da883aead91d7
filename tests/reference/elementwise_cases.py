"""Ops that work element by element, with broadcasting."""

from typing import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from reference_case import Case, Draw, Recipe, as_json

UNARY: dict[str, Callable[[Tensor], Tensor]] = {
    "neg": torch.neg, "exp": torch.exp, "square": torch.square, "sin": torch.sin, "cos": torch.cos, "tanh": torch.tanh,
    "erf": torch.erf, "sigmoid": torch.sigmoid, "silu": F.silu, "softplus": F.softplus, "logsigmoid": F.logsigmoid,
    "abs": torch.abs, "relu": torch.relu}
UNARY_POSITIVE = {"log": torch.log, "sqrt": torch.sqrt}
BINARY = {"add": torch.add, "sub": torch.sub, "mul": torch.mul}
BINARY_DISTINCT = {"maximum": torch.maximum, "minimum": torch.minimum}


def unary(function: Callable[[Tensor], Tensor]) -> Recipe:
    return lambda draw: Case(function, [draw.normal(draw.shape(), draw.choice((1.0, 3.0)))])


def unary_positive(function: Callable[[Tensor], Tensor]) -> Recipe:
    return lambda draw: Case(function, [draw.uniform(draw.shape(), 0.2, 4.0)])


def binary(function: Callable[[Tensor, Tensor], Tensor]) -> Recipe:
    return lambda draw: Case(function, [draw.normal(shape) for shape in draw.broadcasting(2)])


def binary_distinct(function: Callable[[Tensor, Tensor], Tensor]) -> Recipe:
    """The second operand's values lie halfway between those of the first."""

    def recipe(draw: Draw) -> Case:
        left, right = draw.broadcasting(2)
        return Case(function, [draw.distinct(left), draw.distinct(right) + 0.05])

    return recipe


def gelu(draw: Draw) -> Case:
    form = draw.choice(("exact", "tanh"))
    approximate = "none" if form == "exact" else "tanh"
    return Case(lambda x: F.gelu(x, approximate=approximate), [draw.normal(draw.shape(), 2.0)], {"form": form})


def div(draw: Draw) -> Case:
    left, right = draw.broadcasting(2)
    return Case(torch.div, [draw.normal(left), draw.uniform(right, 0.3, 3.0) * draw.choice((1, -1))])


def power(draw: Draw) -> Case:
    kind = draw.choice(("tensors", "tensors", "exponent", "exponent", "base"))
    if kind == "tensors":
        base, exponent = draw.broadcasting(2)
        return Case(torch.pow, [draw.uniform(base, 0.2, 3.0), draw.normal(exponent)])
    if kind == "base":
        return Case(lambda x: torch.pow(1.7, x), [draw.normal(draw.shape())], {"base": 1.7})
    exponent = draw.choice((-2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 5.0, 0.5, 2.5, -1.3))
    whole = exponent == int(exponent)
    x = draw.normal(draw.shape()) if whole and exponent >= 0 else draw.uniform(draw.shape(), 0.4, 3.0)
    return Case(lambda x: torch.pow(x, exponent), [x], {"exponent": exponent})


def clamp(draw: Draw) -> Case:
    low, high = draw.choice(((-0.4, 0.7), (-0.4, None), (None, 0.7), (0.2, 0.3)))
    limits = {name: limit for name, limit in (("min", low), ("max", high)) if limit is not None}
    return Case(lambda x: torch.clamp(x, low, high), [draw.distinct(draw.shape(1, 3))], limits)


def where(draw: Draw) -> Case:
    chosen, left, right = draw.broadcasting(3)
    mask = draw.mask(chosen)
    return Case(lambda a, b: torch.where(mask, a, b), [draw.normal(left), draw.normal(right)], {"mask": as_json(mask)})


def masked_fill(draw: Draw) -> Case:
    shape = draw.shape(1, 3)
    mask = draw.mask(tuple(n if draw.flag() else 1 for n in shape))
    return Case(lambda x: x.masked_fill(mask, -1.5), [draw.normal(shape)], {"mask": as_json(mask), "value": -1.5})


RECIPES: dict[str, tuple[Recipe, int]] = {
    **{name: (unary(function), 4) for name, function in UNARY.items()},
    **{name: (unary_positive(function), 4) for name, function in UNARY_POSITIVE.items()},
    **{name: (binary(function), 6) for name, function in BINARY.items()},
    **{name: (binary_distinct(function), 6) for name, function in BINARY_DISTINCT.items()},
    "gelu": (gelu, 7), "div": (div, 6), "pow": (power, 14), "clamp": (clamp, 6), "where": (where, 6),
    "masked_fill": (masked_fill, 4)}
