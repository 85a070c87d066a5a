"""EPB and PyTorch on the same work: on one core, with the same BLAS kernels, in turn.

  python3 infra/torch_bench.py TEACHERS [--rounds N] [--core FAMILY]

builds the Go benchmarks and prints, per second of CPU time, ours, PyTorch's and their ratio (the median of the rounds'
and its range) for

  training    the paper's student: BenchmarkTrain in internal/student, with 1 and 8 trajectories an instance
  encoder     the student's encoder, forward and backward: BenchmarkEncoder in internal/student
  AM greedy   greedy decoding of Kool's attention model: BenchmarkAMGreedy in internal/teacher

and then, for each operation of an encoder layer (BenchmarkLayer in tensorops), its share of the layer's time and how
much of the core's peak (infra/peak/fma.c) it reaches. TEACHERS is the folder shared/teachers that the tests read, with
Kool's pretrained models am/tsp_20/epoch-99.pt and so on. FAMILY is what EPB_BLAS_CORE takes. It runs for four minutes
and needs Go, a C compiler and a PyTorch on OpenBLAS: Debian's python3-torch. `make bench` runs the Go benchmarks alone.

  python3 infra/torch_bench.py tours CHECKPOINT INSTANCES.npz

prints the mean cost of PyTorch's greedy tours, which is that of `epb eval --teacher CHECKPOINT --instances FILE`.
"""
import argparse
import ctypes
import os
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SIZES = (20, 50, 100)


class Ours:
    """The Go benchmarks and the peak's program, built into a folder."""

    def __init__(self, folder):
        self.folder = folder
        for package in ("tensorops", "internal/student", "internal/teacher"):
            subprocess.run(["go", "test", "-c", "-o", self.path(package), "./" + package], cwd=ROOT, check=True)
        subprocess.run(["cc", "-O2", "-o", self.path("fma"), os.path.join(ROOT, "infra/peak/fma.c")], check=True)

    def path(self, program):
        return os.path.join(self.folder, os.path.basename(program))

    def run(self, package, benchmark, seconds):
        """The output of the benchmarks that the regular expression finds."""
        done = subprocess.run(
            [self.path(package), "-test.run=^$", "-test.bench=" + benchmark, f"-test.benchtime={seconds}s"],
            cwd=os.path.join(ROOT, package), capture_output=True, text=True)
        if done.returncode != 0 or "Benchmark" not in done.stdout:
            sys.exit(f"{package}: -bench {benchmark} gave no result:\n{done.stdout}{done.stderr}")
        return done.stdout

    def rate(self, package, benchmark, unit, seconds=0.5):
        return float(re.search(rf"(\S+) {unit}/core-s", self.run(package, benchmark, seconds))[1])

    def kernels(self):
        """The family of OpenBLAS's kernels and the library."""
        out = self.run("tensorops", "^BenchmarkLayer$/^N=20$/^combine$", 0.01)
        return re.search(r"^kernels: (\S+) of (.*)$", out, re.M).groups()

    def layer(self, n):
        """Microseconds of CPU time and GFLOP/s, 0 without products, of each operation of a layer."""
        found = {}
        for line in self.run("tensorops", f"^BenchmarkLayer$/^N={n}$", 0.1).splitlines():
            if name := re.match(rf"BenchmarkLayer/N={n}/(\S+?)(-\d+)?\s", line):
                number = lambda unit: float(m[1]) if (m := re.search(rf"(\S+) {unit}/core-s", line)) else 0.0
                found[name[1]] = (1e6 / number("layers"), number("GFLOP"))
        return found

    def peak(self):
        """GFLOP/s of the core by kind of vector."""
        out = subprocess.run([self.path("fma")], check=True, capture_output=True, text=True).stdout
        return {name: float(figure) for name, figure in (line.split() for line in out.splitlines())}


def torch_kernels():
    """The family of kernels of the OpenBLAS that PyTorch loaded."""
    with open("/proc/self/maps") as maps:
        libraries = {line.split()[-1] for line in maps if "openblas" in line}
    names = set()
    for path in libraries:
        library = ctypes.CDLL(path)
        if hasattr(library, "openblas_get_corename"):
            library.openblas_get_corename.restype = ctypes.c_char_p
            names.add(library.openblas_get_corename().decode())
    return ", ".join(sorted(names)) or "no OpenBLAS"


def works(models, teachers):
    """What is compared: its name, our benchmark, its unit, PyTorch's work as (function, how many things it does)."""
    student, teacher = "internal/student", "internal/teacher"
    for runs in (1, 8):
        for n in SIZES:
            name = f"training N={n}, {runs} an instance"
            yield name, student, f"^BenchmarkTrain$/^N={n}$/^runs={runs}$", "states", models.training(n, runs)
    for n in SIZES:
        yield f"encoder N={n}", student, f"^BenchmarkEncoder$/^N={n}$", "instances", models.encoding(n)
    for n in SIZES:
        yield f"AM greedy N={n}", teacher, f"^BenchmarkAMGreedy$/^N={n}$", "instances", models.decoding(n, teachers)


def compare(ours, models, teachers, rounds):
    print(f"\n{'per second of CPU time':28} {'':9} {'ours':>9} {'PyTorch':>9} {'ratio':>6}  (range)")
    for name, package, benchmark, unit, (work, count) in works(models, teachers):
        mine, theirs = [], []
        for _ in range(rounds):
            mine.append(ours.rate(package, benchmark, unit))
            theirs.append(models.rate(work, count, 0.7))
        ratios = [a / b for a, b in zip(mine, theirs)]
        figures = f"{statistics.median(mine):9,.0f} {statistics.median(theirs):9,.0f} {statistics.median(ratios):6.2f}"
        print(f"{name:28} {unit:9} {figures}  ({min(ratios):.2f}-{max(ratios):.2f})", flush=True)


def operations(ours, rounds):
    peaks, layers = [], {n: [] for n in SIZES}
    for _ in range(rounds):
        peaks.append(ours.peak())
        for n in SIZES:
            layers[n].append(ours.layer(n))
    peak = {name: statistics.median(p[name] for p in peaks) for name in peaks[0]}
    best = max(peak.values())
    print("\npeak of the core: " + ", ".join(f"{name} {figure:.0f} GFLOP/s" for name, figure in peak.items()))
    print("\noperation of a layer" + "".join(f" | N={n:<3} share GFLOP/s of peak" for n in SIZES))
    median = lambda n, op: [statistics.median(layer[op][k] for layer in layers[n]) for k in (0, 1)]
    medians = {n: {op: median(n, op) for op in layers[n][0]} for n in SIZES}
    total = {n: sum(spent for spent, _ in medians[n].values()) for n in SIZES}
    for op in medians[SIZES[0]]:
        line = f"{op:20}"
        for n in SIZES:
            spent, flops = medians[n][op]
            figures = f"{flops:7.0f} {flops / best:7.0%}" if flops else " " * 15
            line += f" | {spent / total[n]:11.1%} {figures}"
        print(line)
    line = f"{'all':20}"
    for n in SIZES:
        done = sum(spent * flops for spent, flops in medians[n].values()) / total[n]
        line += f" | {1:11.1%} {done:7.0f} {done / best:7.0%}"
    print(line)


def machine():
    with open("/proc/cpuinfo") as info:
        name = re.search(r"model name\s*: (.*)", info.read())
    return f"{name[1] if name else os.uname().machine}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"


def main():
    if sys.argv[1:2] == ["tours"]:
        import torch_models
        return torch_models.tours(*sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("teachers")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--core", help="what EPB_BLAS_CORE names")
    args = parser.parse_args()
    if args.core:
        os.environ["EPB_BLAS_CORE"] = args.core
    with tempfile.TemporaryDirectory() as folder:
        ours = Ours(folder)
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # this core for all that follows, ours and PyTorch's
        core, library = ours.kernels()
        os.environ.update(OPENBLAS_CORETYPE=core, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
        import torch_models  # only now: its OpenBLAS reads the environment when it is loaded
        print(machine())
        print(f"ours: {core} kernels of {library}; PyTorch {torch_models.torch.__version__}: {torch_kernels()} kernels")
        compare(ours, torch_models, args.teachers, args.rounds)
        operations(ours, args.rounds)


if __name__ == "__main__":
    main()
