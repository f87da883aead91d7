"""The step of attention_step in PyTorch, on the CPU: prints the best median, in microseconds, over written-out
and fused attention, each with one thread and with all.

    python3 torch_step.py B T d_model h
"""
import itertools
import math
import os
import statistics
import sys
import time

import torch
from torch import nn
from torch.nn import functional as F


class Step:
    def __init__(self, batch, length, d_model, heads, fused):
        torch.manual_seed(0)
        self.heads, self.fused = heads, fused
        self.projections = nn.ModuleList(nn.Linear(d_model, d_model, bias=False) for _ in range(4))
        self.adam = torch.optim.Adam(self.projections.parameters(), lr=1e-3)
        self.x, self.y = torch.randn(batch, length, d_model), torch.randn(batch, length, d_model)

    def attend(self):
        split = (*self.x.shape[:2], self.heads, -1)
        query, key, value = (p(self.x).view(split).transpose(1, 2) for p in self.projections[:3])
        if self.fused:
            context = F.scaled_dot_product_attention(query, key, value)
        else:
            scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
            context = F.softmax(scores, dim=-1) @ value
        return self.projections[3](context.transpose(1, 2).reshape(self.x.shape))

    def __call__(self):
        self.adam.zero_grad(set_to_none=True)
        F.mse_loss(self.attend(), self.y).backward()
        self.adam.step()


def median_us(step, seconds=1.0):
    for _ in range(5):
        step()
    times, start = [], time.perf_counter()
    while not times or time.perf_counter() - start < seconds:
        before = time.perf_counter()
        step()
        times.append(time.perf_counter() - before)
    return statistics.median(times) * 1e6


def best_us(configuration):
    spellings = [False, True] if hasattr(F, "scaled_dot_product_attention") else [False]
    medians = []
    for fused, threads in itertools.product(spellings, {1, os.cpu_count()}):
        torch.set_num_threads(threads)
        medians.append(median_us(Step(*configuration, fused)))
    return min(medians)


print(f"{best_us([int(argument) for argument in sys.argv[1:5]]):.2f}")
