#!/usr/bin/env bash
# parts.sh TEACHER NODES [SEED…]: what each part of the method is worth. Distil examples/writers.yaml as it stands, then
# with one part taken away, exchanged or added, with each seed, and print the runs side by side. Runs that go on
# or have completed are not started again. Top-1 and gap of each run are printed with the rules mixed and with one rule
# a step. The stand-in writes. SET names further settings for all, as in SET="data.train=2000", and PARTS the rows, as
# in PARTS="all no-edits no-add"; without it all are made.
set -euo pipefail
cd "$(dirname "$0")/.."
. infra/arguments.sh
usage="usage: infra/parts.sh TEACHER NODES [SEED…]"
teacher=${1:?$usage}
nodes=${2:?$usage}
shift 2
seeds=(${@:-1})
numbers NODES 3 1024 "$nodes"
numbers SEED 0 4294967295 "${seeds[@]}"
epb=${EPB:-bin/epb}

# A name and the settings that make it, in the order of the table.
variants=(
  "all"
  "no-learned-weights weights=null"                # constants stay as they are written
  "judged-untuned weights.judge=0"                 # edits are compared with the constants of their author
  "fixed-tauh student.fixed_tau_h=true"            # τ_h stays as fitted before the training
  "no-habits llm.no_habits=true"                   # prompts do not say what the teacher usually does
  "no-edits textgrad.off=true"
  "no-add add.off=true"
  "no-drop drop.off=true"
  "soft-routing student.routing=soft"
  "hardened train.harden=0.5"                      # the expected loss of one program is annealed in
  "attention-router student.router=attention"
  "attention-no-glimpse student.router=attention student.no_glimpse=true"
  "no-annealing train.anneal_epochs=0"
  "cost-weights train.cost_weight=1"
  "dagger data.dagger=500"
)
known=" ${variants[*]%% *} "
for part in ${PARTS:-}; do
  [[ $known == *" $part "* ]] || { echo "PARTS: there is no part $part; there are$known" >&2; exit 1; }
done
teacher "$teacher"
common=()
for s in ${SET:-}; do common+=(--set "$s"); done
name=$(basename "$teacher" | LC_ALL=C.UTF-8 sed 's/[^[:alnum:]._-]/-/g') # as --id takes it
tag=$(printf '%s\n' "$teacher" "$nodes" "${SET:-}" | sha256sum | cut -c1-8) # other settings are other runs
"$epb" dev up
runs=()
for seed in "${seeds[@]}"; do
  for variant in "${variants[@]}"; do
    read -r part settings <<<"$variant"
    [[ " ${PARTS:-$part} " == *" $part "* ]] || continue
    id="parts-$name-$tag-$part-$seed"
    runs+=("$id")
    own=()
    for s in $settings; do own+=(--set "$s"); done
    infra/distil.sh "$id" --config examples/writers.yaml --teacher "$teacher" --nodes "$nodes" --seed "$seed" \
      "${common[@]}" "${own[@]}"
  done
done
$epb compare "${runs[@]}"
