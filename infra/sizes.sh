#!/usr/bin/env bash
# sizes.sh TEACHER [NODES]: how small may an explanation be? Fit local rules to a teacher with banks of several sizes,
# and with programs of several numbers of terms, and print for each what the student of all products and that of 200
# cost. All are compared on the same test instances. SEEDS="1,2,3", PROGRAMS="2 4" and TERMS="3 5" name others; FLAGS
# adds flags.
set -euo pipefail
cd "$(dirname "$0")/.."
. infra/arguments.sh
teacher=${1:?usage: infra/sizes.sh TEACHER [NODES]}
nodes=${2:-20}
epb=${EPB:-bin/epb}
banks=(${PROGRAMS:-1 2 3 4 6 10 14 20})
sums=(${TERMS:-1 2 3 8 12})
numbers PROGRAMS 1 100 "${banks[@]}"
numbers TERMS 1 30 "${sums[@]}"
teacher "$teacher"

fit() { # PROGRAMS TERMS
  echo "$1 programs of at most $2 terms"
  # shellcheck disable=SC2086 # the flags are several arguments
  "$epb" sketch --teacher "$teacher" --nodes "$nodes" --programs "$1" --terms "$2" --products 0,200 \
    --seeds "${SEEDS:-1,2,3}" --test 1000 --test-seed 20261129 --no-rankers --no-programs ${FLAGS:-}
  echo
}
for programs in "${banks[@]}"; do
  fit "$programs" 5
done
for terms in "${sums[@]}"; do
  fit 10 "$terms"
done
