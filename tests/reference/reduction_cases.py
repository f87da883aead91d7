"""Ops along axes: sums and their relatives, extremes, sorting, softmax, normalisation."""

import math
from typing import Any, Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from reference_case import Case, Draw, Recipe, Shape

Reduce = Callable[[Tensor, list[int], bool], Tensor]


def all_axes(x: Tensor, axes: list[int]) -> list[int]:
    return axes or list(range(x.dim()))


def prod(x: Tensor, axes: list[int], keepdim: bool) -> Tensor:
    for axis in sorted(axis % x.dim() for axis in all_axes(x, axes))[::-1]:
        x = x.prod(axis, keepdim)
    return x


def reducing(reduce: Reduce, distinct: bool = False, empty: bool = True) -> Recipe:
    def recipe(draw: Draw) -> Case:
        shape = draw.shape(1, 3, empty)
        attributes = {"axes": draw.axes(shape), "keepdim": draw.flag()}
        x = draw.distinct(shape) if distinct else draw.normal(shape)
        return Case(lambda x: reduce(x, **attributes), [x], attributes)

    return recipe


def prod_with_zeros(draw: Draw) -> Case:
    shape = draw.shape(1, 3)
    attributes = {"axes": draw.axes(shape), "keepdim": draw.flag()}
    x = draw.normal(shape) * draw.mask(shape, draw.choice((0.7, 1.0)))
    return Case(lambda x: prod(x, **attributes), [x], attributes)


def spread(function: Callable[..., Tensor]) -> Recipe:
    def recipe(draw: Draw) -> Case:
        shape = tuple(n + 1 for n in draw.shape(1, 2, empty=False))
        axes, keepdim, correction = draw.axes(shape), draw.flag(), draw.choice((0, 1, 1))
        return Case(lambda x: function(x, all_axes(x, axes), correction=correction, keepdim=keepdim),
                    [draw.normal(shape)], {"axes": axes, "keepdim": keepdim, "correction": correction})

    return recipe


def norm(draw: Draw) -> Case:
    shape = draw.shape(1, 3)
    axes, keepdim, p = draw.axes(shape), draw.flag(), draw.choice((2.0, 2.0, 1.0, 1.5, 3.0, 0.5, math.inf))
    if p == math.inf:
        shape = tuple(max(n, 1) for n in shape)
    x = draw.distinct(shape) + 0.02 if p == math.inf else draw.normal(shape)  # no two of one magnitude
    return Case(lambda x: torch.linalg.vector_norm(x, p, all_axes(x, axes), keepdim), [x],
                {"axes": axes, "keepdim": keepdim, "p": p if p < math.inf else "infinity"})


def along_axis(function: Callable[[Tensor, int], Tensor], least: int = 1) -> Recipe:
    def recipe(draw: Draw) -> Case:
        shape = draw.shape(least, 3)
        axis = draw.axis(shape)
        return Case(lambda x: function(x, axis), [draw.normal(shape, 2.0)], {"axis": axis})

    return recipe


def cumsum(draw: Draw) -> Case:
    shape = draw.shape(1, 3)
    axis, reverse = draw.axis(shape), draw.flag()
    forward: Callable[[Tensor], Tensor] = lambda x: x.cumsum(axis)
    backward: Callable[[Tensor], Tensor] = lambda x: x.flip(axis).cumsum(axis).flip(axis)
    return Case(backward if reverse else forward, [draw.normal(shape)], {"axis": axis, "reverse": reverse})


def logsumexp(draw: Draw) -> Case:
    shape = draw.shape(1, 3, empty=False)
    attributes = {"axis": draw.axis(shape), "keepdim": draw.flag()}
    return Case(lambda x: x.logsumexp(attributes["axis"], attributes["keepdim"]), [draw.normal(shape, 2.0)], attributes)


def indexed(function: Callable[..., Any]) -> Recipe:
    def recipe(draw: Draw) -> Case:
        shape = draw.shape(1, 3, empty=False)
        attributes = {"axis": draw.axis(shape), "keepdim": draw.flag()}
        return Case(lambda x: function(x, attributes["axis"], attributes["keepdim"]).values, [draw.distinct(shape)],
                    attributes)

    return recipe


def sort(draw: Draw) -> Case:
    shape = draw.shape(1, 3)
    axis, descending = draw.axis(shape), draw.flag()
    return Case(lambda x: torch.sort(x, axis, descending).values, [draw.distinct(shape)],
                {"axis": axis, "descending": descending})


def topk(draw: Draw) -> Case:
    shape = draw.shape(1, 3)
    axis, largest = draw.axis(shape), draw.flag()
    k = draw.choice(range(shape[axis] + 1))
    return Case(lambda x: torch.topk(x, k, axis, largest).values, [draw.distinct(shape)],
                {"axis": axis, "k": k, "largest": largest})


def layer_norm(draw: Draw) -> Case:
    shape: Shape = (*draw.shape(0, 2), draw.choice((1, 2, 3, 5)))
    epsilon = draw.choice((1e-5, 0.1))
    parameters = [draw.normal(shape[-1:]) for _ in range(draw.choice((0, 1, 2, 2)))]

    def function(x: Tensor, weight: Tensor | None = None, bias: Tensor | None = None) -> Tensor:
        return F.layer_norm(x, shape[-1:], weight, bias, epsilon)

    return Case(function, [draw.normal(shape), *parameters], {"epsilon": epsilon})


RECIPES: dict[str, tuple[Recipe, int]] = {
    "sum": (reducing(lambda x, axes, keepdim: x.sum(all_axes(x, axes), keepdim)), 6),
    "mean": (reducing(lambda x, axes, keepdim: x.mean(all_axes(x, axes), keepdim), empty=False), 5),
    "prod": (prod_with_zeros, 8),
    "amax": (reducing(lambda x, axes, keepdim: x.amax(axes, keepdim), distinct=True, empty=False), 5),
    "amin": (reducing(lambda x, axes, keepdim: x.amin(axes, keepdim), distinct=True, empty=False), 5),
    "max": (indexed(torch.max), 4), "min": (indexed(torch.min), 4), "sort": (sort, 5), "topk": (topk, 5),
    "var": (spread(torch.var), 5), "stddev": (spread(torch.std), 5), "norm": (norm, 12),
    "softmax": (along_axis(torch.softmax), 6), "log_softmax": (along_axis(torch.log_softmax), 6),
    "logsumexp": (logsumexp, 5), "cumsum": (cumsum, 5), "layer_norm": (layer_norm, 6)}
