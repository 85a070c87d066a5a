#!/usr/bin/env bash
# Compares the speed of two commits: infra/bench_ab.sh BASE [BENCH] [ROUNDS] [PACKAGE...]
#
# BASE is a commit, the other side is the working tree. BENCH is a regexp of benchmarks, ROUNDS how often each side runs
# (6).
# It builds each package's tests once for each side. Then the two programs run in turn, A B A B, so that other load on
# the machine affects both equally. It compares work per second of CPU time (internal/testdata/percore) or, if a
# benchmark does not report that, work per second of wall time. The table shows medians and, as a measure of noise, the
# spread of each side: (highest − lowest)/median. A difference below the spread is noise.
set -euo pipefail
base=${1:?usage: infra/bench_ab.sh BASE [BENCH] [ROUNDS] [PACKAGE...]}
bench=${2:-'Train$|Forward|Encoder|Greedy|Multistart|Read|Student'}
rounds=${3:-6}
. "$(dirname "$0")/arguments.sh"
numbers ROUNDS 1 1000 "$rounds"
packages=("${@:4}")
[ ${#packages[@]} -gt 0 ] ||
  packages=(internal/student internal/teacher internal/rollout internal/safetensors internal/evaluate tensorops)
root=$(git rev-parse --show-toplevel)
cd "$root"
work=$(mktemp -d)
trap 'git worktree remove --force "$work/A" 2>/dev/null || true; rm -rf "$work"' EXIT
git worktree add --quiet --detach "$work/A" "$base"
ln -s "$root" "$work/B"
# Paths outside git: the tools, and the files that some benchmarks need.
[ ! -e .tools ] || ln -s "$root/.tools" "$work/A/.tools"
export EPB_SHARED=${EPB_SHARED:-$root/../shared}

for side in A B; do
  for p in "${packages[@]}"; do
    [ ! -d "$work/$side/$p" ] || (cd "$work/$side" && go test -c -o "$work/$side.$(basename "$p")" "./$p")
  done
done
for ((round = 1; round <= rounds; round++)); do
  echo "round $round of $rounds" >&2
  for p in "${packages[@]}"; do
    for side in A B; do
      program=$work/$side.$(basename "$p")
      [ -x "$program" ] || continue
      (cd "$work/$side/$p" && "$program" -test.run '^$' -test.bench "$bench" -test.benchtime 200ms 2>/dev/null) |
        awk -v side=$side -v p="$p" '/^Benchmark/ {
          rate = 1e9 / $3; unit = "/s"
          for (i = 5; i < NF; i += 2) if ($(i + 1) ~ /\/core-s$/) { rate = $i; unit = $(i + 1); break }
          print side, p "." $1, rate, unit
        }' >>"$work/results"
    done
  done
done
echo
printf '%-62s %14s %14s %8s %8s %8s\n' "work per second, medians of $rounds" "$base" "this tree" change spread spread
sort -k2,2 -k1,1 -k3,3g "$work/results" | awk '
  function flush() {
    if (n) {
      median[side] = n % 2 ? x[(n + 1) / 2] : (x[n / 2] + x[n / 2 + 1]) / 2
      wide[side] = (x[n] - x[1]) / median[side]
    }
    n = 0
  }
  function row() {
    if (name != "" && ("A" in median) && ("B" in median))
      printf "%-62s %14.5g %14.5g %+7.1f%% %7.1f%% %7.1f%%  %s\n", name, median["A"], median["B"],
        100 * (median["B"] / median["A"] - 1), 100 * wide["A"], 100 * wide["B"], unit
    delete median; delete wide
  }
  $2 != name { flush(); row(); name = $2; side = $1 }
  $1 != side { flush(); side = $1 }
  { x[++n] = $3; unit = $4 }
  END { flush(); row() }'
