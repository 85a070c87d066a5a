#!/usr/bin/env bash
# ablations.sh TEACHER NODES [SEED…]: distil every variant of examples/ablation.yaml with each seed, one after the
# other, print them side by side, and write the page ablation-tspNODES.html with the figure. Runs that go on or have
# completed are not started again.
set -euo pipefail
cd "$(dirname "$0")/.."
. infra/arguments.sh
teacher=${1:?usage: infra/ablations.sh TEACHER NODES [SEED…]}
nodes=${2:?usage: infra/ablations.sh TEACHER NODES [SEED…]}
shift 2
seeds=(${@:-1})
numbers NODES 3 1024 "$nodes"
numbers SEED 0 4294967295 "${seeds[@]}"
teacher "$teacher"

# The bank keeps its size.
fixed="--set add.off=true --set drop.off=true --set limits.passes=1 --set train.pass_segments=8"
declare -A variant=(
  [numeric]="--set textgrad.off=true $fixed"
  [text]="--set train.off=true $fixed"
  [both]="$fixed"
  [capacity]=""
  [static]="--set student.static_keys=true --set textgrad.off=true $fixed"
)
# An instance takes time in proportion to the square of its size. Every size has the time of 4,000 instances of 20
# nodes.
train=$((4000 * 20 * 20 / (nodes * nodes)))
tag=$(sha256sum <<<"$teacher" | cut -c1-8) # another teacher, other runs
epb=${EPB:-bin/epb}
"$epb" dev up
runs=()
for seed in "${seeds[@]}"; do
  for name in numeric text both capacity static; do
    id="ablation-tsp$nodes-$tag-$name-$seed"
    runs+=("$id")
    # shellcheck disable=SC2086 # a variant is several arguments
    infra/distil.sh "$id" --config examples/ablation.yaml --teacher "$teacher" --nodes "$nodes" --seed "$seed" \
      --set "data.train=$train" ${variant[$name]}
  done
done
"$epb" compare --history --html "ablation-tsp$nodes.html" "${runs[@]}"
