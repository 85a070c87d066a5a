"""The networks of torch_bench.py in PyTorch, written for speed: batches, no dead work, the best of several batch sizes.

Import it once OPENBLAS_CORETYPE is set: PyTorch's OpenBLAS chooses its kernels when it is loaded.
"""
import os
import time

import numpy as np
import torch
from torch.nn import functional as F

torch.set_num_threads(1)

D, HEADS, LAYERS, FF = 128, 8, 3, 512


def attention(q, k, v, mask=None):
    """Multi-head attention of q, k, v [B,HEADS,*,D/HEADS]; mask [B,1,1,N] is true where nothing may be seen."""
    u = q @ k.transpose(-1, -2) / (D // HEADS) ** 0.5
    if mask is not None:
        u = u.masked_fill(mask, -torch.inf)
    o = u.softmax(-1) @ v
    return o.transpose(1, 2).flatten(2)


def split(x):
    """[B,N,D] as [B,HEADS,N,D/HEADS]."""
    return x.unflatten(-1, (HEADS, D // HEADS)).transpose(1, 2)


class AM:
    """Kool's attention model, decoding greedily."""

    def __init__(self, path):
        self.w = torch.load(path, map_location="cpu")["model"]
        self.layers = []
        for i in range(LAYERS):
            at = lambda name: self.w[f"embedder.layers.{i}.{name}"]
            norm = lambda n: tuple(at(f"{n}.normalizer.{x}") for x in ("running_mean", "running_var", "weight", "bias"))
            qkv = torch.cat([at(f"0.module.W_{x}").permute(1, 0, 2).flatten(1) for x in ("query", "key", "val")], 1)
            feed = [at(f"2.module.{x}") for x in ("0.weight", "0.bias", "2.weight", "2.bias")]
            self.layers.append((qkv, at("0.module.W_out").flatten(0, 1), norm(1), *feed, norm(3)))

    def encode(self, x):
        B, N = x.shape[:2]
        h = F.linear(x, self.w["init_embed.weight"], self.w["init_embed.bias"])
        norm = lambda h, n: F.batch_norm(h.flatten(0, 1), *n).view(B, N, D)
        for qkv, out, norm1, w1, b1, w2, b2, norm2 in self.layers:
            q, k, v = (split(y) for y in (h @ qkv).chunk(3, -1))
            h = norm(h + attention(q, k, v) @ out, norm1)
            h = norm(h + F.linear(F.relu(F.linear(h, w1, b1)), w2, b2), norm2)
        return h

    def decode(self, x):
        """The greedy tours [B,N] of coordinates x [B,N,2]."""
        h, w = self.encode(x), self.w
        B, N = x.shape[:2]
        k, v, logit_k = F.linear(h, w["project_node_embeddings.weight"]).chunk(3, -1)
        k, v, logit_k = split(k), split(v), logit_k.transpose(1, 2)
        fixed = F.linear(h.mean(1), w["project_fixed_context.weight"])
        visited, batch, tour = torch.zeros(B, N, dtype=torch.bool), torch.arange(B), []
        context = w["W_placeholder"].expand(B, -1)
        for _ in range(N):
            q = fixed + F.linear(context, w["project_step_context.weight"])
            g = F.linear(attention(split(q[:, None]), k, v, visited[:, None, None]), w["project_out.weight"])
            logits = 10 * torch.tanh((g @ logit_k)[:, 0] / D**0.5)
            tour.append(logits.masked_fill(visited, -torch.inf).argmax(-1))
            visited[batch, tour[-1]] = True
            context = torch.cat([h[batch, tour[0]], h[batch, tour[-1]]], -1)
        return torch.stack(tour, 1)


class Encoder(torch.nn.Module):
    """The student's encoder, POMO's: instance norm after each of attention and feed-forward."""

    def __init__(self):
        super().__init__()
        linear, norm = torch.nn.Linear, lambda: torch.nn.InstanceNorm1d(D, affine=True)
        self.embed = linear(2, D)
        layer = lambda: [linear(D, 3 * D, bias=False), linear(D, D), norm(), linear(D, FF), linear(FF, D), norm()]
        self.layers = torch.nn.ModuleList(torch.nn.ModuleList(layer()) for _ in range(LAYERS))

    def forward(self, x):
        h = self.embed(x)
        for qkv, out, norm1, ff1, ff2, norm2 in self.layers:
            h = norm1((h + out(attention(*(split(y) for y in qkv(h).chunk(3, -1))))).transpose(1, 2)).transpose(1, 2)
            h = norm2((h + ff2(F.relu(ff1(h)))).transpose(1, 2)).transpose(1, 2)
        return h


class Student(torch.nn.Module):
    """The paper's student: the encoder, a query with a glimpse, and the keys of Eq. 4."""

    def __init__(self):
        super().__init__()
        linear = torch.nn.Linear
        self.encoder = Encoder()
        self.graph, self.nodes = linear(D, D), linear(D, 3 * D, bias=False)
        self.kv, self.out = linear(D, 2 * D, bias=False), linear(D, D, bias=False)

    def forward(self, b, tau=0.1):
        """The loss of a batch: Eq. 2-6, but for the teacher's entropy, which is constant."""
        h = self.encoder(b["x"])
        candidates, current, first = self.nodes(h).chunk(3, -1)
        state = lambda nodes, index: nodes.gather(1, index[..., None].expand(-1, -1, D))
        q = b["mean"] @ candidates + state(current, b["current"]) + state(first, b["first"])
        q = q + self.graph(h.mean(1))[:, None]
        k, v = (split(y) for y in self.kv(h).chunk(2, -1))
        q = q + self.out(attention(split(q), k, v, b["masked"][:, None]))
        u = q @ h.transpose(1, 2) / D**0.5  # [B,T,N]
        V = (b["scores"] / tau).softmax(-1)  # Eq. 2, [B,T,M,N]
        w = (V * u[:, :, None]).sum(-1).softmax(-1)  # Eq. 3 and 4: Q·K_m = Σ_n V_m(n)·(Q·h_n), [B,T,M]
        mix = (w[:, :, None] @ V)[:, :, 0]  # Eq. 5
        return -(b["teacher"] * mix.clamp_min(1e-12).log()).sum()


def toy(B, n, runs, M=12):
    """A batch like that of toy in internal/student: nearest-neighbour tours from as many starts as runs."""
    x = torch.rand(B, n, 2)
    dist = torch.cdist(x, x)
    current = torch.arange(runs).expand(B, -1).clone()
    first, visited, batch = current.clone(), torch.zeros(B, runs, n, dtype=torch.bool), torch.arange(B)[:, None]
    states = []
    for _ in range(n - 2):
        visited.scatter_(2, current[..., None], True)
        cost = dist[batch, current].masked_fill(visited, torch.inf)
        states.append((current, visited.clone(), cost))
        current = cost.argmin(-1)
    flat = lambda i: torch.stack([s[i] for s in states], 2).flatten(1, 2)
    current, masked, cost = flat(0), flat(1), flat(2)
    noise = 0.05 * torch.arange(1, M + 1)[:, None] * torch.randn(*cost.shape[:2], M, n)
    return {
        "x": x, "current": current, "masked": masked, "first": first[:, :, None].expand(-1, -1, n - 2).flatten(1),
        "mean": (~masked) / (~masked).sum(-1, keepdim=True), "teacher": (-cost / 0.1).softmax(-1),
        "scores": noise - cost[:, :, None],
    }


class Training:
    """Steps of Adam on batches of 4,096 states, as many instances at a time as fit part."""

    def __init__(self, n, runs, part):
        self.per_instance = (n - 2) * runs
        self.instances = -(-4096 // self.per_instance)
        batch = toy(self.instances, n, runs)
        self.parts = [{k: v[i:i + part] for k, v in batch.items()} for i in range(0, self.instances, part)]
        self.model = Student()
        self.adam = torch.optim.Adam(self.model.parameters(), lr=6e-4, foreach=True)

    def step(self):
        self.adam.zero_grad(set_to_none=True)
        for part in self.parts:
            (self.model(part) / (self.instances * self.per_instance)).backward()
        self.adam.step()


def rate(work, count, seconds):
    """How many things a second of CPU time gets through, count at a time."""
    start, done = time.process_time(), 0
    while (spent := time.process_time() - start) < seconds:
        work()
        done += count
    return done / spent


def fastest(candidates, seconds=0.2):
    """The (work, count) of candidates that runs fastest."""
    for work, _ in candidates:
        work()
    return max(candidates, key=lambda c: rate(*c, seconds))


def training(n, runs):
    def candidate(part):
        t = Training(n, runs, part)
        return t.step, t.instances * t.per_instance
    most = -(-4096 // ((n - 2) * runs))
    return fastest([candidate(part) for part in sorted({max(1, most // k) for k in (1, 4, 16)})])


def encoding(n):
    encoder = Encoder()

    def candidate(batch):
        x = torch.rand(batch, n, 2)

        def work():
            encoder.zero_grad(set_to_none=True)
            encoder(x).sum().backward()
        return work, batch
    return fastest([candidate(batch) for batch in (8, 32, 128)])


def decoding(n, teachers):
    model = AM(os.path.join(teachers, "am", f"tsp_{n}", "epoch-99.pt"))

    def candidate(batch):
        x = torch.rand(batch, n, 2)

        def work():
            with torch.inference_mode():
                model.decode(x)
        return work, batch
    return fastest([candidate(batch) for batch in (16, 64, 256)])


def tours(checkpoint, instances):
    x = torch.as_tensor(np.load(instances)["coords"]).float()
    with torch.inference_mode():
        t = torch.cat([AM(checkpoint).decode(part) for part in x.split(100)])
    t = x.double().gather(1, t[..., None].expand(-1, -1, 2))
    print(f"{len(x)} instances, mean cost {(t - t.roll(-1, 1)).norm(dim=-1).sum(1).mean():.6f}")
