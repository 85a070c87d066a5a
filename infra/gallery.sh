#!/usr/bin/env bash
# gallery.sh TEACHERS [KEY=VALUE…]: train a router for every gallery bank, once for all its programs and once for those
# that Drop leaves at ε = 0, one after the other, and print them side by side. The teachers are attention models of each
# bank's problem and size, TEACHERS/tsp_50/epoch-99.pt and so on, whichever teacher a bank is named after. KEY=VALUE
# changes examples/gallery.yaml in all runs. Runs that go on or have completed are not started again.
set -euo pipefail
cd "$(dirname "$0")/.."
. infra/arguments.sh
teachers=${1:?usage: infra/gallery.sh TEACHERS [KEY=VALUE…]}
shift

# What two cores train on in minutes. The students of LEHD's banks are small and see less data, since they decode every
# state anew.
small="data.val=150 student.dim=64 student.ff=256 train.batch_states=512"
declare -A settings=(
  [pomo-tsp50]="data.train=3000" [pomo-tsp100]="data.train=1500" [lehd-tsp100]="data.train=300 $small"
  [pomo-cvrp50]="data.train=2000" [pomo-cvrp100]="data.train=1000" [lehd-cvrp100]="data.train=300 $small"
)
banks=(pomo-tsp50 pomo-tsp100 lehd-tsp100 pomo-cvrp50 pomo-cvrp100 lehd-cvrp100)

# look BANK: sets problem and nodes to those of a bank, and teacher to the checkpoint for it.
look() {
  local task=${1#*-}
  problem=${task%%[0-9]*}
  nodes=${task#"$problem"}
  teacher=$teachers/${problem}_$nodes/epoch-99.pt
}
for bank in "${banks[@]}"; do
  look "$bank"
  teachers "$teachers" "$teacher"
done
tag=$(printf '%s\n' "$teachers" "$@" | sha256sum | cut -c1-8) # other settings, other runs
epb=${EPB:-bin/epb}
"$epb" dev up
runs=()
for bank in "${banks[@]}"; do
  look "$bank"
  for drop in off on; do
    id=gallery-$tag-$bank
    [ $drop = off ] || id+=-dropped
    runs+=("$id")
    sets=(--set "problem=$problem" --set "drop.off=$([ $drop = off ] && echo true || echo false)")
    for value in ${settings[$bank]} "$@"; do sets+=(--set "$value"); done
    infra/distil.sh "$id" --config examples/gallery.yaml --teacher "$teacher" \
      --bank "builtin:$bank" --nodes "$nodes" "${sets[@]}"
  done
done
"$epb" compare "${runs[@]}"
