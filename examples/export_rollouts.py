"""Export a PyTorch policy's decisions for `epb rollout import`: any constructive policy with RL4CO's interface, for TSP
or CVRP.

  python export_rollouts.py --problem cvrp --checkpoint am.ckpt --instances cvrp_uniform_50.npz \
    --out rollouts.safetensors
  epb rollout import rollouts.safetensors --out shard.safetensors

Instances are an npz file: coords [I,N,2] for TSP; for CVRP depot [I,2], locs [I,n,2], demand [I,n] and capacity [I],
the last two whole numbers. For a policy with another interface, rewrite `decisions`: it returns the actions [B,T] and,
before each, the distribution over all nodes [B,T,N]. That is 0 for infeasible nodes, and a row of zeros where nothing
was decided (a given start).
"""
import argparse
import numpy as np
import torch
from safetensors.torch import save_file
from tensordict import TensorDict


@torch.inference_mode()
def decisions(policy, env, td):
    """Decode a batch greedily from its initial state td, keeping the whole distribution of every step."""
    hidden, _ = policy.encoder(td)
    td, env, hidden = policy.decoder.pre_decoder_hook(td, env, hidden, 0)
    actions, probs = [], []
    while not td["done"].all():
        logits, mask = policy.decoder(td, hidden, 0)  # the mask is true where feasible
        if policy.tanh_clipping > 0:
            logits = torch.tanh(logits) * policy.tanh_clipping
        p = (logits.float().masked_fill(~mask, -torch.inf) / policy.temperature).softmax(-1)
        td.set("action", p.argmax(-1))
        actions, probs = actions + [td["action"]], probs + [p]
        td = env.step(td)["next"]
    return torch.stack(actions, 1).int(), torch.stack(probs, 1)


def export(policy, env, problem, data, path, name, batch=100):
    """Write the policy's decisions on the instances of data, arrays by name, to the safetensors file path."""
    data = {k: torch.as_tensor(v) for k, v in data.items()}
    if problem == "tsp":
        out, start = {"coords": data["coords"].float()}, {"locs": data["coords"].float()}
    else:
        depot, locs, demand, capacity = data["depot"].float(), data["locs"].float(), data["demand"], data["capacity"]
        out = {"coords": torch.cat([depot[:, None], locs], 1), "capacity": capacity.int(),
               "demand": torch.nn.functional.pad(demand, (1, 0)).int()}
        start = {"depot": depot, "locs": locs, "demand": demand.float() / capacity[:, None].float()}
    states = [env.reset(td) for td in TensorDict(start, batch_size=[len(out["coords"])]).split(batch)]
    parts = [decisions(policy, env, td) for td in states]
    T, pad = max(a.shape[1] for a, _ in parts), torch.nn.functional.pad  # CVRP batches take different numbers of steps
    out["actions"] = torch.cat([pad(a, (0, T - a.shape[1])) for a, _ in parts])
    out["probs"] = torch.cat([pad(p, (0, 0, 0, T - p.shape[1])) for _, p in parts])
    save_file({k: v.contiguous() for k, v in out.items()}, path, {"problem": problem, "teacher": name})


if __name__ == "__main__":
    from rl4co import envs, models
    parser = argparse.ArgumentParser(description="Export rollouts of an RL4CO policy for epb.")
    for flag in "problem", "checkpoint", "instances", "out":
        parser.add_argument("--" + flag, required=True)
    args = parser.parse_args()
    model = models.AttentionModel.load_from_checkpoint(args.checkpoint, map_location="cpu", strict=False)
    env, data = envs.get_env(args.problem), np.load(args.instances)
    export(model.policy.eval(), env, args.problem, data, args.out, args.checkpoint)
