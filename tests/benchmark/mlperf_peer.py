#!/usr/bin/env python3
"""The pretraining of the mlperf kernel, step by step the same work, in PyTorch: rate of training in samples per second.

The model is that of suites/mlperf/reference (pre-norm with RMS norms, causal attention, squared ReLU, AdamW, clipped gradients);
the texts are random numbers, since their content does not change the time of a step.
    mlperf_peer.py RANKS SECONDS [MICRO_BATCH]     RANKS processes of one thread each, or one process with RANKS threads: the faster
"""
import os
import sys
import time

import torch
import torch.multiprocessing as processes
from torch import nn
from torch.nn import functional as F

LAYERS, WIDTH, HEADS, CONTEXT, BATCH, VOCABULARY = 2, 128, 4, 64, 32, 36


class Norm(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(WIDTH))

    def forward(self, x):
        return self.gain * x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-5)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = Norm(), Norm()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH, bias=False)
        self.project = nn.Linear(WIDTH, WIDTH, bias=False)
        self.up = nn.Linear(WIDTH, 4 * WIDTH, bias=False)
        self.down = nn.Linear(4 * WIDTH, WIDTH, bias=False)

    def forward(self, x, mask):
        samples = x.shape[0]
        heads = self.qkv(self.norm1(x)).view(samples, CONTEXT, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        q, k, v = heads[0], heads[1], heads[2]
        odds = (q @ k.transpose(-1, -2) * (WIDTH // HEADS) ** -0.5 + mask).softmax(-1)
        x = x + self.project((odds @ v).transpose(1, 2).reshape(samples, CONTEXT, WIDTH))
        return x + self.down(F.relu(self.up(self.norm2(x))).square())


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(VOCABULARY, WIDTH)
        self.positions = nn.Parameter(torch.randn(CONTEXT, WIDTH) * 0.3)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.norm = Norm()
        self.head = nn.Linear(WIDTH, VOCABULARY, bias=False)
        self.register_buffer("mask", torch.full((CONTEXT, CONTEXT), float("-inf")).triu(1))

    def forward(self, tokens):
        x = self.tokens(tokens) + self.positions
        for block in self.blocks:
            x = block(x, self.mask)
        return self.head(self.norm(x))


def train(rank, ranks, threads, seconds, micro_batch, rates):
    torch.set_num_threads(threads)
    torch.manual_seed(1)
    if ranks > 1:
        os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=os.environ.get("MASTER_PORT", "29517"))
        torch.distributed.init_process_group("gloo", rank=rank, world_size=ranks)
    model = Model()
    parameters = list(model.parameters())
    adamw = torch.optim.AdamW(parameters, lr=6e-3, betas=(0.9, 0.95), weight_decay=0.1)
    share = BATCH // ranks
    own = torch.randint(VOCABULARY, (4096, share, CONTEXT + 1))

    def step(number):
        adamw.zero_grad(set_to_none=True)
        for part in own[number % len(own)].split(micro_batch):
            logits = model(part[:, :-1])
            loss = F.cross_entropy(logits.reshape(-1, VOCABULARY), part[:, 1:].reshape(-1), reduction="sum")
            (loss / (BATCH * CONTEXT)).backward()
        if ranks > 1:
            flat = torch.cat([p.grad.reshape(-1) for p in parameters])
            torch.distributed.all_reduce(flat)
            begin = 0
            for p in parameters:
                p.grad.copy_(flat[begin : begin + p.numel()].view_as(p))
                begin += p.numel()
        nn.utils.clip_grad_norm_(parameters, 1.0)
        adamw.step()

    for number in range(10):
        step(number)
    begin, steps = time.monotonic(), 0
    go_on = torch.ones(1)
    while go_on.item():
        for _ in range(10):
            step(steps)
            steps += 1
        go_on.fill_(float(time.monotonic() - begin < seconds))
        if ranks > 1:
            torch.distributed.broadcast(go_on, 0)
    if rank == 0:
        rates.put(steps * BATCH / (time.monotonic() - begin))


def rate(ranks, threads, seconds, micro_batch):
    rates = processes.get_context("spawn").SimpleQueue()
    processes.spawn(train, (ranks, threads, seconds, micro_batch, rates), nprocs=ranks)
    return rates.get()


if __name__ == "__main__":
    RANKS, SECONDS = int(sys.argv[1]), float(sys.argv[2])
    # The sizes at which it is fastest: a rank's whole share at once, or in parts.
    SIZES = [int(sys.argv[3])] if len(sys.argv) > 3 else [8, 16, 32]
    TRIED = [(rate(n, RANKS // n, SECONDS, size), n, size) for n in {1, RANKS} for size in SIZES if size <= BATCH // n]
    BEST = max(TRIED)
    print(f"{BEST[0]:.1f} samples/s, {BEST[1]} ranks of {RANKS // BEST[1]} threads, {BEST[2]} samples at a time, torch {torch.__version__}")
