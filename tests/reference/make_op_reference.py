"""Makes reference values and derivatives for single operations, in float64, with PyTorch.

    python3 tests/reference/make_op_reference.py

Needs only torch (CPU; written with 1.13). Writes tests/data/op_reference.json: inputs, output, a random cotangent of
the output and the gradients of <cotangent, output>; and tests/data/op_second_reference.json: the gradients of
<directions, those gradients> to the inputs and to the cotangent. PyTorch's own derivatives are confirmed by finite
differences before they are written.

Inputs are rounded to three decimals and come from Python's own generator, seeded by the op's name and the number of the
case, so they are the same everywhere; results can differ in the last digits between machines.
"""

from pathlib import Path

import torch

import arrangement_cases
import elementwise_cases
import loss_cases
import product_cases
import reduction_cases
from reference_case import Draw, Recipe, first_order, second_order

DATA = Path(__file__).parent.parent / "data"
FAMILIES = (elementwise_cases, reduction_cases, arrangement_cases, product_cases, loss_cases)


def second_count(count: int) -> int:
    """Two per op, and more of those with many options."""
    return max(2, (count + 1) // 2)


def write(path: Path, lines: list[str]) -> None:
    path.write_text(f'{{"source": "PyTorch {torch.__version__}, float64",\n"cases": [\n' + ",\n".join(lines) + "\n]}\n")
    print(f"{path.name}: {len(lines)} cases, {path.stat().st_size} bytes")


def main() -> None:
    torch.set_num_threads(1)
    recipes: dict[str, tuple[Recipe, int]] = {}
    for family in FAMILIES:
        recipes.update(family.RECIPES)
    first, second = [], []
    for op, (recipe, count) in recipes.items():
        for number in range(count):
            draw = Draw(f"{op} {number}")
            first.append(first_order(op, recipe(draw), draw))
        for number in range(second_count(count)):
            draw = Draw(f"second {op} {number}")
            second.append(second_order(op, recipe(draw), draw))
    write(DATA / "op_reference.json", first)
    write(DATA / "op_second_reference.json", second)


if __name__ == "__main__":
    main()
