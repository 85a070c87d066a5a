#!/usr/bin/env bash
# writers.sh TEACHER NODES [SEED…]: distil examples/writers.yaml with every writer that needs no language model (the
# stand-in, the null writer, nobody), with each seed, and print the runs side by side. Runs that go on or have completed
# are not started again. Top-1 and gap of each run are printed with the rules mixed and with one rule a step. BANK names
# another starting bank, ALSO further runs for the table, such as one with a language model, and SET further settings,
# as in SET="problem=cvrp data.train=1500".
set -euo pipefail
cd "$(dirname "$0")/.."
. infra/arguments.sh
usage="usage: infra/writers.sh TEACHER NODES [SEED…]"
teacher=${1:?$usage}
nodes=${2:?$usage}
shift 2
seeds=(${@:-1})
numbers NODES 3 1024 "$nodes"
numbers SEED 0 4294967295 "${seeds[@]}"
teacher "$teacher"
epb=${EPB:-bin/epb}

null=null-writer
declare -A variant=(
  [standin]=""
  [null]="--set llm.critic=$null --set llm.writer=$null --set llm.proposer=$null"
  [nobody]="--set textgrad.off=true --set add.off=true"
)
settings=()
for s in ${SET:-}; do settings+=(--set "$s"); done
name=$(basename "$teacher" | LC_ALL=C.UTF-8 sed 's/[^[:alnum:]._-]/-/g') # as --id takes it
tag=$(printf '%s\n' "$teacher" "$nodes" "${SET:-}" "${BANK:-}" | sha256sum | cut -c1-8) # other settings, other runs
"$epb" dev up
runs=(${ALSO:-})
for seed in "${seeds[@]}"; do
  for writer in standin null nobody; do
    id="writers-$name-$tag-$writer-$seed"
    runs+=("$id")
    # shellcheck disable=SC2086 # a variant is several arguments
    infra/distil.sh "$id" --config examples/writers.yaml --teacher "$teacher" --nodes "$nodes" --seed "$seed" \
      ${BANK:+--bank "$BANK"} "${settings[@]}" ${variant[$writer]}
  done
done
$epb compare --history "${runs[@]}"
