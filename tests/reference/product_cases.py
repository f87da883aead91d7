"""Matrix products, einsum and attention."""

import math

import torch
import torch.nn.functional as F
from torch import Tensor

from reference_case import Case, Draw, Recipe, as_json

MATMULS = [((3, 4), (4, 2)), ((2, 3, 2), (2, 2, 1)), ((3, 4), (2, 4, 2)), ((2, 1, 2, 3), (2, 3, 2)),
           ((1, 3), (3, 1)), ((0, 3), (3, 2)), ((2, 0), (0, 3)), ((2, 1, 3), (1, 3, 4))]
EINSUMS = [("ij,jk->ik", (2, 3), (3, 4)), ("bhqd,bhkd->bhqk", (1, 2, 2, 3), (1, 2, 3, 3)), ("ij->ji", (2, 5)),
           ("ijk->j", (2, 3, 2)), ("i,i->", (5,), (5,)), ("...ij,...jk->...ik", (2, 2, 3), (3, 2)),
           ("ab,cb,", (2, 3), (4, 3)), ("i,j->ji", (3,), (2,)), ("bi,bi->b", (3, 4), (3, 4)),
           ("ij,j", (0, 3), (3,))]


def matmul(draw: Draw) -> Case:
    left, right = draw.choice(MATMULS)
    return Case(torch.matmul, [draw.normal(left), draw.normal(right)])


def linear(draw: Draw) -> Case:
    inner, outer = draw.choice((1, 2, 4)), draw.choice((1, 3))
    biases = [draw.normal((outer,))] if draw.flag() else []
    return Case(F.linear, [draw.normal((*draw.choice(((), (2,), (2, 3), (0,))), inner)), draw.normal((outer, inner)),
                           *biases])


def einsum(draw: Draw) -> Case:
    spec, *shapes = draw.choice(EINSUMS)
    spec = spec.rstrip(",")
    return Case(lambda *x: torch.einsum(spec, *x), [draw.normal(shape) for shape in shapes], {"spec": spec})


def outer(draw: Draw) -> Case:
    return Case(torch.outer, [draw.normal((draw.choice((1, 3)),)), draw.normal((draw.choice((2, 4)),))])


def attend(query: Tensor, key: Tensor, value: Tensor, allowed: Tensor, bias: Tensor | float, scale: float) -> Tensor:
    """Output and weights, flattened one after the other; a query without a key gets zeros."""
    scores = query @ key.transpose(-1, -2) * scale + bias
    some = allowed.any(-1, keepdim=True)
    weights = torch.where(some, scores.masked_fill(~allowed & some, -math.inf), torch.zeros_like(scores)).softmax(-1)
    weights = weights * some
    return torch.cat([(weights @ value).flatten(), weights.flatten()])


def attention(draw: Draw) -> Case:
    batch, heads = draw.choice(((1, 2), (2, 1)))
    queries, keys = draw.choice((1, 2, 3)), draw.choice((1, 2, 3))
    width, value_width = draw.choice((1, 2)), draw.choice((1, 2))
    scores = (batch, heads, queries, keys)
    inputs = [draw.normal((batch, heads, queries, width)), draw.normal((batch, heads, keys, width)),
              draw.normal((batch, heads, keys, value_width))]
    attributes = {}
    scale = 1 / math.sqrt(width)
    allowed = torch.ones(scores, dtype=torch.bool)
    if draw.flag():
        scale = attributes["scale"] = 0.3
    if draw.flag():
        mask = draw.mask(draw.choice((scores, (batch, 1, 1, keys), (queries, keys))), 0.7)
        attributes["allowed"] = as_json(mask)
        allowed = allowed & mask
    causal = attributes["causal"] = draw.choice(("none", "none", "top_left", "bottom_right"))
    if causal != "none":
        allowed = allowed & torch.ones(queries, keys).tril(keys - queries if causal == "bottom_right" else 0).bool()
    if draw.flag():
        inputs.append(draw.normal(draw.choice((scores, (heads, 1, keys), (keys,)))))
    return Case(lambda query, key, value, bias=0.0: attend(query, key, value, allowed, bias, scale), inputs, attributes)


RECIPES: dict[str, tuple[Recipe, int]] = {
    "matmul": (matmul, 10), "linear": (linear, 6), "einsum": (einsum, 14), "outer": (outer, 2),
    "scaled_dot_product_attention": (attention, 14)}
