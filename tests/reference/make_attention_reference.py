"""Makes reference values for multi-head attention, in float64, with PyTorch.

    python3 tests/reference/make_attention_reference.py > tests/data/attention_reference.json

Needs only torch (CPU; written with 1.13). Every case holds all the inputs, the output, the attention
weights of each head, and the gradients of the loss sum(output * output_cotangent).

    Q = query W_Q^T + b_Q, likewise K and V; head i owns features i*d_k ... (i+1)*d_k - 1
    weights = softmax(Q K^T / sqrt(d_k) + bias) over the allowed keys
    output = concat_heads(weights V) W_O^T + b_O

A key is allowed if `allowed` says so and, when causal, its position is not after the query's. A query
with no allowed key has a row of zero weights; it passes no gradient on except to b_O.

Inputs are rounded to three decimals and come from Python's own generator, seeded by the case's name,
so they are the same everywhere; results can differ in the last digits between BLAS builds.

Before a case is written it is checked three ways: against torch's own multi_head_attention_forward,
against plain loops over single numbers that skip a query with no allowed key, and by finite differences.
"""

import json
import math
import random
import sys
from dataclasses import dataclass
from typing import Any, Optional

import torch
import torch.nn.functional as F
from torch import Tensor

Shape = tuple[int, ...]
TOLERANCE = 1e-12
WEIGHTS = ("W_Q", "W_K", "W_V", "W_O")
BIASES = ("b_Q", "b_K", "b_V", "b_O")
DIFFERENTIABLE = ("query", "key", "value", *WEIGHTS, *BIASES, "bias")


@dataclass(frozen=True)
class Case:
    name: str
    heads: int
    query: Shape
    key: Optional[Shape] = None  # None: self-attention
    projection_biases: bool = False
    causal: bool = False
    allowed: Optional[Tensor] = None
    bias: Optional[Shape] = None
    bias_offset: float = 0.0  # added to the bias of even rows, subtracted from that of odd rows

    @property
    def d_model(self) -> int:
        return self.query[-1]


def lengths(keys: int, *valid: int, left: bool = False) -> Tensor:
    """Padding mask (B, 1, 1, S) that allows the first (left padding: last) valid[b] keys."""
    mask = torch.arange(keys) < torch.tensor(valid)[:, None]
    return (mask.flip(-1) if left else mask)[:, None, None, :]


def rows(*pattern: str) -> Tensor:
    """Mask (L, S) written out in 0s and 1s."""
    return torch.tensor([[character == "1" for character in row] for row in pattern])


def scattered(shape: Shape, empty: tuple[Shape, ...] = ()) -> Tensor:
    """Irregular mask in which each row allows some key, but for the rows at the indices in `empty`."""
    mask = (torch.arange(math.prod(shape)) * 7 % 5 < 3).reshape(shape)
    mask[..., 0] |= ~mask.any(-1)
    for index in empty:
        mask[index] = False
    return mask


CASES = (
    Case("self_d8_h2_batch3", 2, (3, 4, 8)),
    Case("self_d8_h2_batch1_projection_biases", 2, (1, 5, 8), projection_biases=True),
    Case("self_d9_h3_batch3_projection_biases", 3, (3, 3, 9), projection_biases=True),
    Case("self_d12_h4_batch1", 4, (1, 3, 12)),
    Case("self_one_head", 1, (2, 4, 5), projection_biases=True),
    Case("self_one_feature_per_head", 3, (2, 3, 3)),
    Case("self_one_position", 2, (3, 1, 6), projection_biases=True),
    Case("self_unbatched", 2, (4, 8)),
    Case("self_unbatched_one_position", 3, (1, 6), projection_biases=True),
    Case("cross_d12_h4_batch1_projection_biases", 4, (1, 3, 12), (1, 5, 12), projection_biases=True),
    Case("cross_d9_h3_batch3", 3, (3, 4, 9), (3, 2, 9)),
    Case("cross_one_query", 2, (2, 1, 6), (2, 4, 6)),
    Case("cross_one_key", 2, (2, 3, 6), (2, 1, 6), projection_biases=True),
    Case("cross_unbatched", 2, (2, 6), (5, 6), projection_biases=True),
    Case("causal_self_d8_h2", 2, (3, 4, 8), causal=True),
    Case("causal_self_one_position", 1, (1, 1, 4), causal=True),
    Case("causal_self_unbatched", 3, (5, 6), projection_biases=True, causal=True),
    Case("causal_separate_inputs", 3, (2, 4, 6), (2, 4, 6), projection_biases=True, causal=True),
    Case("padding_self", 2, (3, 4, 8), allowed=lengths(4, 4, 1, 3)),
    Case("padding_cross", 4, (3, 2, 8), (3, 5, 8), projection_biases=True, allowed=lengths(5, 2, 5, 4)),
    Case("padding_causal", 2, (3, 4, 6), projection_biases=True, causal=True, allowed=lengths(4, 4, 2, 3)),
    Case("mask_per_query_key", 3, (2, 3, 6), (2, 4, 6), allowed=rows("1011", "0100", "1110")),
    Case("mask_per_query_key_unbatched", 2, (3, 6), projection_biases=True, allowed=rows("101", "011", "100")),
    Case("mask_per_head", 2, (2, 3, 6), (2, 4, 6), projection_biases=True, allowed=scattered((2, 2, 3, 4))),
    Case("bias_per_query_key", 3, (3, 4, 9), bias=(4, 4)),
    Case("bias_per_query_key_unbatched", 2, (3, 6), (4, 6), bias=(3, 4)),
    Case("bias_per_head", 4, (1, 3, 8), (1, 4, 8), projection_biases=True, bias=(1, 4, 3, 4)),
    Case("bias_causal", 2, (2, 4, 6), projection_biases=True, causal=True, bias=(2, 2, 4, 4)),
    Case("bias_padding_self", 2, (3, 4, 6), projection_biases=True, allowed=lengths(4, 3, 4, 1), bias=(4, 4)),
    Case("bias_padding_cross", 3, (2, 3, 9), (2, 4, 9), allowed=lengths(4, 2, 3), bias=(2, 3, 3, 4)),
    Case("bias_large", 2, (2, 3, 6), (2, 4, 6), bias=(3, 4), bias_offset=1000.0),
    Case("no_key_for_one_query", 2, (2, 3, 8), allowed=rows("101", "000", "111")),
    Case("no_key_for_one_query_cross_projection_biases", 3, (2, 3, 6), (2, 4, 6), projection_biases=True,
         allowed=rows("0000", "0110", "1111")),
    Case("no_key_for_one_query_unbatched", 2, (3, 6), projection_biases=True, allowed=rows("110", "010", "000")),
    Case("no_key_for_one_sequence", 2, (3, 2, 6), (3, 4, 6), projection_biases=True, allowed=lengths(4, 3, 0, 4)),
    Case("no_key_causal_left_padding", 2, (3, 4, 6), projection_biases=True, causal=True,
         allowed=lengths(4, 4, 2, 3, left=True)),
    Case("no_key_for_one_head_bias", 2, (2, 3, 6), (2, 4, 6), projection_biases=True,
         allowed=scattered((2, 2, 3, 4), empty=((0, 1, 2), (1, 0, 0))), bias=(2, 2, 3, 4)),
    Case("no_key_at_all_bias", 2, (2, 2, 6), projection_biases=True, allowed=lengths(2, 0, 0), bias=(2, 2)),
)


def make_inputs(case: Case) -> dict[str, Tensor]:
    """Every float input the case has, and the cotangent of its output."""
    generator = random.Random(case.name)

    def draw(shape: Shape, scale: float = 1.0) -> Tensor:
        values = [round(generator.gauss(0.0, scale), 3) for _ in range(math.prod(shape))]
        return torch.tensor(values, dtype=torch.float64).reshape(shape)

    inputs = {"query": draw(case.query)}
    if case.key is not None:
        inputs |= {"key": draw(case.key), "value": draw(case.key)}
    for name in WEIGHTS:
        inputs[name] = draw((case.d_model, case.d_model), scale=1.5 / math.sqrt(case.d_model))
    if case.projection_biases:
        inputs |= {name: draw((case.d_model,), scale=0.5) for name in BIASES}
    if case.bias is not None:
        sign = 1 - 2 * (torch.arange(case.bias[-2]) % 2)[:, None]
        inputs["bias"] = draw(case.bias) + sign * case.bias_offset
    inputs["output_cotangent"] = draw(case.query)
    return inputs


def allowed_keys(case: Case) -> Tensor:
    """The mask that causality and `allowed` make together, (B, h, L, S); unbatched (h, L, S)."""
    queries, keys = case.query[-2], (case.key or case.query)[-2]
    mask = torch.ones((*case.query[:-2], case.heads, queries, keys), dtype=torch.bool)
    if case.causal:
        mask &= torch.ones((queries, keys), dtype=torch.bool).tril()
    if case.allowed is not None:
        mask &= case.allowed
    return mask


def attention(case: Case, inputs: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
    """The output and the weights of each head, in written-out operations."""
    query = inputs["query"]
    key, value = inputs.get("key", query), inputs.get("value", query)

    def project(x: Tensor, letter: str) -> Tensor:
        y = x @ inputs["W_" + letter].T
        return y + inputs["b_" + letter] if case.projection_biases else y

    def split(x: Tensor) -> Tensor:
        return x.unflatten(-1, (case.heads, case.d_model // case.heads)).transpose(-3, -2)

    q, k, v = split(project(query, "Q")), split(project(key, "K")), split(project(value, "V"))
    scores = q @ k.transpose(-1, -2) / math.sqrt(case.d_model // case.heads)
    if "bias" in inputs:
        scores = scores + inputs["bias"]
    mask = allowed_keys(case)
    zero = torch.zeros((), dtype=torch.float64)
    # Zeroing before and after exp keeps both its value and its derivative finite where a key is not allowed.
    peak = torch.where(mask, scores, zero - math.inf).amax(-1, keepdim=True).detach()
    shifted = torch.where(mask, scores - torch.where(peak.isinf(), zero, peak), zero)
    unnormalised = torch.where(mask, shifted.exp(), zero)
    total = unnormalised.sum(-1, keepdim=True)
    weights = unnormalised / torch.where(total == 0, zero + 1, total)
    heads = (weights @ v).transpose(-3, -2).flatten(-2)
    return project(heads, "O"), weights


def gradients(loss: Tensor, inputs: dict[str, Tensor]) -> dict[str, Tensor]:
    names = [name for name in DIFFERENTIABLE if name in inputs]
    found = torch.autograd.grad(loss, [inputs[name] for name in names], allow_unused=True)
    return {n: torch.zeros_like(inputs[n]) if g is None else g for n, g in zip(names, found)}


def require_close(what: str, actual: Tensor, expected: Tensor) -> None:
    assert actual.shape == expected.shape, (what, actual.shape, expected.shape)
    assert torch.allclose(actual, expected, rtol=TOLERANCE, atol=TOLERANCE), (what, (actual - expected).abs().max())


def check_against_torch(case: Case, inputs: dict[str, Tensor], output: Tensor, weights: Tensor,
                        grads: dict[str, Tensor]) -> None:
    """torch gives NaN for a query with no allowed key, so such a query is here allowed every key and its
    cotangent zeroed, which leaves every gradient but b_O's as it should be. That cannot be done for a query
    that only some heads leave without keys: gradients are then left to the finite differences."""
    mask = allowed_keys(case)
    empty = ~mask.any(-1, keepdim=True)
    no_head_sees = empty.all(-3).squeeze(-1)  # (B, L)
    torch_mask = torch.zeros(mask.shape, dtype=torch.float64)
    torch_mask = torch_mask + inputs["bias"] if "bias" in inputs else torch_mask
    torch_mask = torch_mask.masked_fill(~(mask | empty), -math.inf)

    def layout(x: Tensor) -> Tensor:  # (B, L, d) <-> (L, B, d)
        return x.transpose(0, 1) if x.dim() == 3 else x

    query = inputs["query"]
    key, value = inputs.get("key", query), inputs.get("value", query)
    options: dict[str, Any] = {"attn_mask": torch_mask.flatten(0, -3)}
    if not empty.any() and case.bias is None and case.causal != (case.allowed is not None):
        # One plain mask: hand it over the way torch documents it.
        if case.causal:
            options = {"attn_mask": ~mask.flatten(0, -3)[0]}
        elif case.allowed is not None and case.allowed.shape[-3:-1] == (1, 1):
            options = {"key_padding_mask": ~case.allowed[:, 0, 0]}
    elif case.bias is None and not case.causal and case.allowed is None:
        options = {}
    projection_bias = torch.cat([inputs[n] for n in BIASES[:3]]) if case.projection_biases else None
    torch_output, torch_weights = F.multi_head_attention_forward(
        layout(query), layout(key), layout(value), case.d_model, case.heads, None, projection_bias, None, None,
        False, 0.0, inputs["W_O"], inputs.get("b_O"), use_separate_proj_weight=True,
        q_proj_weight=inputs["W_Q"], k_proj_weight=inputs["W_K"], v_proj_weight=inputs["W_V"],
        average_attn_weights=False, **options)
    torch_output = layout(torch_output)

    full = ~empty.any(-3).squeeze(-1)  # queries for which every head sees a key
    require_close("output", output[full], torch_output[full])
    require_close("weights", weights, torch.where(empty, torch.zeros_like(weights), torch_weights))
    if torch.equal(no_head_sees, ~full):
        cotangent = inputs["output_cotangent"].masked_fill(no_head_sees[..., None], 0.0)
        expected = gradients((torch_output * cotangent).sum(), inputs)
        if case.projection_biases:
            expected["b_O"] = inputs["output_cotangent"].reshape(-1, case.d_model).sum(0)
        for name, gradient in grads.items():
            require_close("grad_" + name, gradient, expected[name])


def check_against_loops(case: Case, inputs: dict[str, Tensor], output: Tensor, weights: Tensor) -> None:
    """Recomputes the output and the weights from single numbers."""
    d, d_k = case.d_model, case.d_model // case.heads
    batches = case.query[0] if len(case.query) == 3 else 1
    as_list = {name: tensor.tolist() for name, tensor in inputs.items()}
    mask = allowed_keys(case)
    bias = inputs.get("bias", torch.zeros(())).expand(mask.shape).reshape(batches, *mask.shape[-3:]).tolist()
    mask = mask.reshape(batches, *mask.shape[-3:]).tolist()

    def batch_of(name: str, b: int) -> list[list[float]]:
        x = inputs.get(name, inputs["query"]).tolist()
        return x[b] if len(case.query) == 3 else x

    def project(x: list[list[float]], letter: str) -> list[list[float]]:
        matrix, offset = as_list["W_" + letter], as_list.get("b_" + letter, [0.0] * d)
        return [[offset[o] + math.fsum(row[i] * matrix[o][i] for i in range(d)) for o in range(d)] for row in x]

    outputs, all_weights = [], []
    for b in range(batches):
        q, k, v = (project(batch_of(name, b), letter) for name, letter in zip(("query", "key", "value"), "QKV"))
        mixed = [[0.0] * d for _ in q]
        for h in range(case.heads):
            features = range(h * d_k, (h + 1) * d_k)
            for i in range(len(q)):
                row = [0.0] * len(k)
                seen = [j for j in range(len(k)) if mask[b][h][i][j]]
                if seen:
                    score = {j: math.fsum(q[i][f] * k[j][f] for f in features) / math.sqrt(d_k) + bias[b][h][i][j]
                             for j in seen}
                    peak = max(score.values())
                    total = math.fsum(math.exp(score[j] - peak) for j in seen)
                    for j in seen:
                        row[j] = math.exp(score[j] - peak) / total
                    for f in features:
                        mixed[i][f] = math.fsum(row[j] * v[j][f] for j in seen)
                all_weights.append(row)
        outputs.append(project(mixed, "O"))
    require_close("output", output, torch.tensor(outputs, dtype=torch.float64).reshape(output.shape))
    require_close("weights", weights, torch.tensor(all_weights, dtype=torch.float64).reshape(weights.shape))


def check_by_finite_differences(case: Case, inputs: dict[str, Tensor], grads: dict[str, Tensor]) -> None:
    plain = {name: tensor.detach().clone() for name, tensor in inputs.items()}
    step = 1e-5

    def loss() -> float:
        return float((attention(case, plain)[0] * plain["output_cotangent"]).sum())

    with torch.no_grad():
        for name, gradient in grads.items():
            flat = plain[name].view(-1)
            for i, expected in enumerate(gradient.flatten().tolist()):
                kept = float(flat[i])
                flat[i] = kept + step
                above = loss()
                flat[i] = kept - step
                below = loss()
                flat[i] = kept
                slope = (above - below) / (2 * step)
                assert abs(slope - expected) < 1e-7 * (1 + abs(expected)), (name, i, slope, expected)


def as_json(x: Optional[Tensor]) -> Optional[dict[str, Any]]:
    if x is None:
        return None
    values = x.int() if x.dtype == torch.bool else x
    return {"shape": list(x.shape), "values": values.flatten().tolist()}


def make_case(case: Case) -> dict[str, Any]:
    inputs = make_inputs(case)
    for name in DIFFERENTIABLE:
        if name in inputs:
            inputs[name].requires_grad_()
    output, weights = attention(case, inputs)
    grads = gradients((output * inputs["output_cotangent"]).sum(), inputs)
    try:
        check_against_torch(case, inputs, output, weights, grads)
        check_against_loops(case, inputs, output, weights)
        check_by_finite_differences(case, inputs, grads)
    except AssertionError as error:
        raise AssertionError(f"case {case.name}: {error}") from error
    record: dict[str, Any] = {"name": case.name, "d_model": case.d_model, "heads": case.heads,
                              "self": case.key is None, "causal": case.causal, "allowed": as_json(case.allowed)}
    record |= {name: as_json(inputs.get(name)) for name in DIFFERENTIABLE}
    record |= {"output": as_json(output), "weights": as_json(weights),
               "output_cotangent": as_json(inputs["output_cotangent"])}
    record |= {"grad_" + name: as_json(grads.get(name)) for name in DIFFERENTIABLE}
    return record


def main() -> None:
    torch.set_num_threads(1)
    print(f'{{"source": "PyTorch {torch.__version__}, float64",\n"cases": [')
    for number, case in enumerate(CASES):
        fields = [f"{json.dumps(name)}: {json.dumps(field, separators=(',', ':'), allow_nan=False)}"
                  for name, field in make_case(case).items()]
        print("{" + ",\n ".join(fields) + "}" + ("," if number + 1 < len(CASES) else "\n]}"))
    print(f"{len(CASES)} cases checked", file=sys.stderr)


if __name__ == "__main__":
    main()
