"""What `make bench` is compared with: the same work in PyTorch on one core, written for speed (batches, no dead work).

  python3 infra/torch_bench.py pretrained/tsp_50/epoch-99.pt [instances.npz]

prints instances/s of the attention model's greedy decoding (Kool et al., BenchmarkAMGreedy in internal/teacher) and of the student's encoder,
forward and backward (BenchmarkEncoder in internal/student). With instances, it prints the mean cost of their tours instead, which is that of
`epb eval --teacher CHECKPOINT --instances FILE`.
"""
import sys
import time

import numpy as np
import torch
from torch.nn import functional as F

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
            self.layers.append((qkv, at("0.module.W_out").flatten(0, 1), norm(1), at("2.module.0.weight"), at("2.module.0.bias"),
                                at("2.module.2.weight"), at("2.module.2.bias"), norm(3)))

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
        self.layers = torch.nn.ModuleList(torch.nn.ModuleList(
            [linear(D, 3 * D, bias=False), linear(D, D), norm(), linear(D, FF), linear(FF, D), norm()]) for _ in range(LAYERS))

    def forward(self, x):
        h = self.embed(x)
        for qkv, out, norm1, ff1, ff2, norm2 in self.layers:
            h = norm1((h + out(attention(*(split(y) for y in qkv(h).chunk(3, -1))))).transpose(1, 2)).transpose(1, 2)
            h = norm2((h + ff2(F.relu(ff1(h)))).transpose(1, 2)).transpose(1, 2)
        return h


def rate(work, count, seconds=3):
    """How many instances a second work gets through, count at a time."""
    work()
    start, done = time.perf_counter(), 0
    while time.perf_counter() - start < seconds:
        work()
        done += count
    return done / (time.perf_counter() - start)


def main():
    torch.set_num_threads(1)
    model = AM(sys.argv[1])
    if len(sys.argv) > 2:
        x = torch.as_tensor(np.load(sys.argv[2])["coords"]).float()
        with torch.inference_mode():
            tours = torch.cat([model.decode(part) for part in x.split(100)])
        t = x.double().gather(1, tours[..., None].expand(-1, -1, 2))
        print(f"{len(x)} instances, mean cost {(t - t.roll(-1, 1)).norm(dim=-1).sum(1).mean():.6f}")
        return
    for n in (20, 50, 100):
        best = {}
        for batch in (16, 64, 256):
            x = torch.rand(batch, n, 2)
            with torch.inference_mode():
                best[batch] = rate(lambda: model.decode(x), batch)
        batch = max(best, key=best.get)
        print(f"AM greedy   N={n:<3} {best[batch]:7.0f} instances/s in batches of {batch}")
    for n in (20, 50, 100):
        encoder, best = Encoder(), {}
        for batch in (8, 32, 128):
            x = torch.rand(batch, n, 2)
            best[batch] = rate(lambda: encoder(x).sum().backward(), batch)
        batch = max(best, key=best.get)
        print(f"encoder f+b N={n:<3} {best[batch]:7.0f} instances/s in batches of {batch}")


if __name__ == "__main__":
    main()
