#!/usr/bin/env bash
# headline.sh TEACHERS [NAME…]: fit local rules to each attention model in TEACHERS (tsp_20, tsp_50, tsp_100, cvrp_50,
# cvrp_100) or to those named, with three seeds, and print each table: rules mixed and one rule a step, routers of all,
# of 200 and of 100 products, and all that a student is measured against. All seeds are compared on the same test
# instances, drawn from a seed that no choice was made with, one for tours and one for routes. FLAGS adds flags, as in
# FLAGS="--class lookahead --no-rankers"; SEEDS and PRODUCTS name others.
set -euo pipefail
cd "$(dirname "$0")/.."
. infra/arguments.sh
usage="usage: infra/headline.sh TEACHERS [NAME…]"
teachers=${1:?$usage}
shift
names=("$@")
[ ${#names[@]} -gt 0 ] || names=(tsp_20 tsp_50 tsp_100 cvrp_50 cvrp_100)
epb=${EPB:-bin/epb}

declare -A data=(
  [tsp_20]="--train 20000 --test 1000 --test-seed 20261127"
  [tsp_50]="--train 20000 --test 1000 --programs 14 --memory 14 --test-seed 20261127"
  [tsp_100]="--train 6000 --test 500 --programs 14 --memory 14 --test-seed 20261127"
  [cvrp_50]="--train 8000 --test 500 --programs 14 --memory 14 --test-seed 20261130"
  [cvrp_100]="--train 5000 --test 500 --programs 14 --memory 14 --test-seed 20261130"
)
for name in "${names[@]}"; do
  [ -n "${data[$name]:-}" ] || { echo "NAME: there is no $name; there are ${!data[*]}" >&2; exit 1; }
  teachers "$teachers" "$teachers/$name"
done
for name in "${names[@]}"; do
  flags=${data[$name]}
  # shellcheck disable=SC2086 # the flags are several arguments
  command=("$epb" sketch --teacher "$teachers/$name" --nodes "${name#*_}" $flags --seeds "${SEEDS:-1,2,3}"
    --products "${PRODUCTS:-0,200,100}" ${FLAGS:-})
  echo "${command[*]}"
  "${command[@]}"
  echo
done
