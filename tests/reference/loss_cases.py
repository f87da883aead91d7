"""Losses."""

from typing import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from reference_case import Case, Draw, Recipe, as_json

REDUCTIONS = ("mean", "sum", "none")


def reduced(losses: Tensor, reduction: str) -> Tensor:
    return losses if reduction == "none" else losses.mean() if reduction == "mean" else losses.sum()


def two_sided(loss: Callable[..., Tensor]) -> Recipe:
    """No two elements are equal."""

    def recipe(draw: Draw) -> Case:
        shape, reduction = draw.shape(0, 3, empty=False), draw.choice(REDUCTIONS)
        return Case(lambda a, b: loss(a, b, reduction=reduction), [draw.distinct(shape), draw.distinct(shape) + 0.03],
                    {"reduction": reduction})

    return recipe


def huber_loss(draw: Draw) -> Case:
    shape, reduction, delta = draw.shape(1, 3, empty=False), draw.choice(REDUCTIONS), draw.choice((0.31, 1.01))
    return Case(lambda a, b: F.huber_loss(a, b, reduction=reduction, delta=delta),
                [draw.distinct(shape), draw.distinct(shape) + 0.03], {"reduction": reduction, "delta": delta})


def bce_with_logits(draw: Draw) -> Case:
    shape, reduction = draw.shape(1, 3, empty=False), draw.choice(REDUCTIONS)
    weight, positive = (draw.uniform(shape[-1:], 0.2, 2.0) if draw.flag() else None for _ in range(2))
    attributes = {"reduction": reduction}
    attributes |= {} if weight is None else {"weight": as_json(weight)}
    attributes |= {} if positive is None else {"pos_weight": as_json(positive)}

    def function(x: Tensor, t: Tensor) -> Tensor:
        scale = 1.0 if positive is None else positive
        losses = scale * t * F.softplus(-x) + (1 - t) * F.softplus(x)
        losses = losses if weight is None else losses * weight
        known = F.binary_cross_entropy_with_logits(x, t, weight, pos_weight=positive, reduction="none")
        assert torch.allclose(losses, known, rtol=1e-14, atol=1e-14)
        return reduced(losses, reduction)

    return Case(function, [draw.normal(shape, 3.0), draw.uniform(shape, 0.05, 0.95)], attributes)


def kl_div(draw: Draw) -> Case:
    shape, reduction, logs = draw.shape(1, 3, empty=False), draw.choice(REDUCTIONS), draw.flag()
    targets = draw.normal(shape) if logs else draw.uniform(shape, 0.05, 0.95)
    return Case(lambda x, t: reduced(F.kl_div(x, t, reduction="none", log_target=logs), reduction),
                [draw.normal(shape), targets], {"reduction": reduction, "log_targets": logs})


def cross_entropy(draw: Draw) -> Case:
    rows, classes, reduction = draw.choice(((), (3,), (2, 2))), draw.choice((2, 3, 5)), draw.choice(REDUCTIONS)
    targets = draw.integers(rows, classes)
    smoothing = draw.choice((0.0, 0.0, 0.2))
    weights = draw.uniform((classes,), 0.2, 2.0) if draw.flag() else None
    ignore = draw.choice((None, 0, 1))
    if ignore is not None and bool((targets == ignore).all()):
        ignore = None
    attributes = {"targets": as_json(targets), "reduction": reduction, "label_smoothing": smoothing}
    attributes |= {} if weights is None else {"class_weights": as_json(weights)}
    attributes |= {} if ignore is None else {"ignore_index": ignore}

    def function(logits: Tensor) -> Tensor:
        loss = F.cross_entropy(logits.reshape(-1, classes), targets.reshape(-1), weights, reduction=reduction,
                               ignore_index=-100 if ignore is None else ignore, label_smoothing=smoothing)
        return loss.reshape(rows) if reduction == "none" else loss

    return Case(function, [draw.normal((*rows, classes), 2.0)], attributes)


RECIPES: dict[str, tuple[Recipe, int]] = {
    "mse_loss": (two_sided(F.mse_loss), 4), "l1_loss": (two_sided(F.l1_loss), 4), "huber_loss": (huber_loss, 6),
    "bce_with_logits": (bce_with_logits, 6), "kl_div": (kl_div, 6), "cross_entropy": (cross_entropy, 12)}
