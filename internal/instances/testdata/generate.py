"""Writes the binary sets beside it with Python's own pickle: python3 generate.py. No NumPy or PyTorch is needed:
torch's names are stood in for, its file layout is written by hand."""
import io, os, pickle, struct, sys, types, zipfile
from collections import OrderedDict

TSP = [[[0.0, 0.0], [1.0, 0.0], [0.5, 0.25]], [[0.0, 0.5], [1.0, 0.0], [0.5, 0.75]]]
CVRP = [([0.5, 0.5], [[0.0, 0.0], [1.0, 0.25], [0.5, 0.75]], [3, 9, 1], 30.0),
        ([0.25, 0.5], [[0.0, 0.0], [1.0, 0.75], [0.5, 0.25]], [1, 2, 7], 30.0)]


def save(name, value, protocol):
    with open(name, "wb") as f:
        pickle.dump(value, f, protocol)


for protocol in (2, 3, 4, 5):
    save(f"kool_tsp_{protocol}.pkl", TSP, protocol)
    save(f"kool_cvrp_{protocol}.pkl", CVRP, protocol)
save("dict.pkl", {"depot": [c[0] for c in CVRP], "locs": [c[1] for c in CVRP],
                  "demand": [c[2] for c in CVRP], "capacity": [c[3] for c in CVRP]}, 4)
save("code_2.pkl", os.system, 2)
save("code_4.pkl", os.system, 4)

torch, utils = types.ModuleType("torch"), types.ModuleType("torch._utils")
sys.modules.update({"torch": torch, "torch._utils": utils})
torch.FloatStorage = type("FloatStorage", (), {"__module__": "torch"})


def _rebuild_tensor_v2(*args):
    pass


_rebuild_tensor_v2.__module__ = "torch._utils"
utils._rebuild_tensor_v2 = _rebuild_tensor_v2


class Storage:
    def __init__(self, key, values):
        self.key, self.values = key, values


class Tensor:
    def __init__(self, key, shape, values):
        self.shape, self.storage = shape, Storage(key, values)

    def __reduce__(self):
        stride = [1]
        for d in reversed(self.shape[1:]):
            stride.insert(0, stride[0] * d)
        return _rebuild_tensor_v2, (self.storage, 0, self.shape, tuple(stride), False, OrderedDict())


class Pickler(pickle.Pickler):
    def persistent_id(self, value):
        if isinstance(value, Storage):
            return "storage", torch.FloatStorage, value.key, "cpu", len(value.values)


def flat(value):
    return [x for v in value for x in flat(v)] if isinstance(value, (list, tuple)) else [value]


tensors = {
    "depot_xy": Tensor("0", (2, 1, 2), flat([c[0] for c in CVRP])),
    "node_xy": Tensor("1", (2, 3, 2), flat([c[1] for c in CVRP])),
    "node_demand": Tensor("2", (2, 3), [d / 30 for d in flat([c[2] for c in CVRP])]),
}
program = io.BytesIO()
Pickler(program, 2).dump(tensors)
with zipfile.ZipFile("pomo_cvrp.pt", "w") as z:
    def member(name, data):
        z.writestr(zipfile.ZipInfo("archive/" + name), data)
    member("data.pkl", program.getvalue())
    for t in tensors.values():
        member("data/" + t.storage.key, struct.pack(f"<{len(t.storage.values)}f", *t.storage.values))
    member("version", b"3\n")
