"""Ops that move elements: views, joining and cutting, reading and adding at indices."""

import math
from typing import Callable

import torch
from torch import Tensor

from reference_case import Case, Draw, Recipe, Shape, as_json


def view(draw: Draw) -> Case:
    shape = draw.shape(1, 3)
    others: list[Shape] = [(math.prod(shape),), (1, *shape), (*shape[:-2], math.prod(shape[-2:])), (*shape, 1)]
    wanted = draw.choice(others)
    return Case(lambda x: x.reshape(wanted), [draw.normal(shape)], {"shape": list(wanted)})


def permute(draw: Draw) -> Case:
    shape = draw.shape(2, 3)
    order = [axis - len(shape) if draw.flag() else axis for axis in draw.order(len(shape))]
    return Case(lambda x: x.permute(order), [draw.normal(shape)], {"order": order})


def transpose(draw: Draw) -> Case:
    shape = draw.shape(2, 3)
    first, second = draw.axis(shape), draw.axis(shape)
    return Case(lambda x: x.transpose(first, second), [draw.normal(shape)], {"first": first, "second": second})


def expand(draw: Draw) -> Case:
    whole = draw.shape(1, 3)
    own = tuple(1 if draw.flag() else n for n in whole)[draw.choice((0, 0, 1)):]
    return Case(lambda x: x.expand(whole), [draw.normal(own)], {"shape": list(whole)})


def slice_(draw: Draw) -> Case:
    shape = draw.shape(1, 3)
    axis = draw.axis(shape)
    start, stop = draw.choice((0, 1, -2)), draw.choice((-1, 2, 9))
    function: Callable[[Tensor], Tensor] = lambda x: x.movedim(axis, 0)[start:stop].movedim(0, axis)
    return Case(function, [draw.normal(shape)], {"axis": axis, "start": start, "stop": stop})


def select(draw: Draw) -> Case:
    shape = draw.shape(1, 3, empty=False)
    axis = draw.axis(shape)
    index = draw.choice(range(-shape[axis], shape[axis]))
    return Case(lambda x: x.select(axis, index), [draw.normal(shape)], {"axis": axis, "index": index})


def clone(draw: Draw) -> Case:
    return Case(torch.clone, [draw.normal(draw.shape())])


def to(draw: Draw) -> Case:
    """There and back: values and gradients are rounded to f32."""
    return Case(lambda x: x.to(torch.float32).to(torch.float64), [draw.normal(draw.shape())])


def join_shapes(draw: Draw) -> tuple[list[Shape], int]:
    shape = draw.shape(1, 3)
    axis = draw.axis(shape)
    shapes = []
    for _ in range(draw.choice((1, 2, 3))):
        sizes = list(shape)
        sizes[axis] = draw.choice((0, 1, 2))
        shapes.append(tuple(sizes))
    return shapes, axis


def cat(draw: Draw) -> Case:
    shapes, axis = join_shapes(draw)
    return Case(lambda *x: torch.cat(x, axis), [draw.normal(shape) for shape in shapes], {"axis": axis})


def stack(draw: Draw) -> Case:
    shape = draw.shape(0, 2)
    axis = draw.choice(range(-len(shape) - 1, len(shape) + 1))
    inputs = [draw.normal(shape) for _ in range(draw.choice((1, 2, 3)))]
    return Case(lambda *x: torch.stack(x, axis), inputs, {"axis": axis})


def split(draw: Draw) -> Case:
    sizes = [draw.choice((0, 1, 2, 3)) for _ in range(3)]
    shape = (draw.choice((1, 3)), sum(sizes))
    part = draw.choice(range(3))
    return Case(lambda x: x.split(sizes, -1)[part], [draw.normal(shape)], {"axis": -1, "sizes": sizes, "part": part})


def chunk(draw: Draw) -> Case:
    shape = draw.shape(1, 3, empty=False)
    axis, count = draw.axis(shape), draw.choice((1, 2, 3))
    part = draw.choice(range(len(torch.zeros(shape).chunk(count, axis))))
    return Case(lambda x: x.chunk(count, axis)[part], [draw.normal(shape)],
                {"axis": axis, "count": count, "part": part})


def flip(draw: Draw) -> Case:
    shape = draw.shape(1, 3)
    axes = draw.axes(shape)
    return Case(lambda x: x.flip(axes or list(range(x.dim()))), [draw.normal(shape)], {"axes": axes})


def roll(draw: Draw) -> Case:
    shape = draw.shape(1, 3)
    axis, shift = draw.axis(shape), draw.choice((-7, -1, 0, 1, 2, 5))
    return Case(lambda x: x.roll(shift, axis), [draw.normal(shape)], {"axis": axis, "shift": shift})


def repeat(draw: Draw) -> Case:
    shape = draw.shape(0, 2)
    counts = [draw.choice((0, 1, 2, 3)) for _ in range(len(shape) + draw.choice((0, 1)))]
    return Case(lambda x: x.repeat(counts), [draw.normal(shape)[..., :2] if shape else draw.normal(shape)],
                {"counts": counts})


def triangle(function: Callable[[Tensor, int], Tensor]) -> Recipe:
    def recipe(draw: Draw) -> Case:
        diagonal = draw.choice((-1, 0, 1, 3))
        return Case(lambda x: function(x, diagonal), [draw.normal(draw.shape(2, 3))], {"diagonal": diagonal})

    return recipe


def index_along(draw: Draw, shape: Shape, axis: int) -> Tensor:
    sizes = list(shape)
    sizes[axis] = draw.choice((1, 2, 4))
    return draw.integers(tuple(sizes), shape[axis])


def gather(draw: Draw) -> Case:
    shape = draw.shape(1, 3, empty=False)
    axis = draw.axis(shape)
    index = index_along(draw, shape, axis)
    return Case(lambda x: x.gather(axis, index), [draw.normal(shape)], {"axis": axis, "index": as_json(index)})


def scatter_add(draw: Draw) -> Case:
    shape = draw.shape(1, 3, empty=False)
    axis = draw.axis(shape)
    index = index_along(draw, shape, axis)
    return Case(lambda x: torch.zeros(shape, dtype=x.dtype).scatter_add(axis, index, x),
                [draw.normal(tuple(index.shape))], {"axis": axis, "index": as_json(index), "shape": list(shape)})


def index_select(draw: Draw) -> Case:
    """An index of any rank: its shape takes the place of the axis."""
    shape = draw.shape(1, 2, empty=False)
    axis = draw.choice(range(len(shape)))
    index = draw.integers(draw.choice(((0,), (3,), (2, 2), ())), shape[axis])

    def function(x: Tensor) -> Tensor:
        return x.index_select(axis, index.flatten()).reshape((*shape[:axis], *index.shape, *shape[axis + 1:]))

    return Case(function, [draw.normal(shape)], {"axis": axis, "index": as_json(index)})


def embedding(draw: Draw) -> Case:
    table = draw.normal((4, draw.choice((1, 3))))
    index = draw.integers(draw.choice(((5,), (2, 3), (0,))), 4)
    return Case(lambda x: x[index], [table], {"index": as_json(index)})


RECIPES: dict[str, tuple[Recipe, int]] = {
    "view": (view, 4), "permute": (permute, 4), "transpose": (transpose, 3), "expand": (expand, 4),
    "slice": (slice_, 5), "select": (select, 3), "clone": (clone, 2), "to": (to, 2), "cat": (cat, 5),
    "stack": (stack, 4), "split": (split, 4), "chunk": (chunk, 3), "flip": (flip, 4),
    "roll": (roll, 4), "repeat": (repeat, 4), "tril": (triangle(torch.tril), 3), "triu": (triangle(torch.triu), 3),
    "gather": (gather, 5), "scatter_add": (scatter_add, 5), "index_select": (index_select, 6),
    "embedding": (embedding, 4)}
