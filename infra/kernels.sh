#!/usr/bin/env bash
# kernels.sh: the tests of the numeric packages under every family of OpenBLAS kernels that this CPU can run. Tests that
# hold under one family only, because they expect the bits of its sums, fail here.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(./tensorops ./internal/student ./internal/teacher ./internal/rollout ./internal/evaluate ./internal/agreement
  ./internal/capacity ./internal/startrule ./internal/tune ./internal/ranker ./internal/sketch)

probe=$(mktemp -d)
trap 'rm -rf "$probe"' EXIT
go test -c -o "$probe/kernels" ./tensorops
mapfile -t families < <(TENSOROPS_TEST_CHILD=families "$probe/kernels")
ran=0
for core in "${families[@]}"; do
  if ! TENSOROPS_TEST_CHILD=1 EPB_BLAS_CORE=$core "$probe/kernels" | grep -q '"Refused":""'; then
    echo "kernels $core: left out, this CPU cannot run them"
    continue
  fi
  echo "kernels $core"
  EPB_BLAS_CORE=$core go test -count=1 "${packages[@]}" # the cache of results does not know the variable
  ran=$((ran + 1))
done
if [ "$ran" -eq 0 ]; then
  echo "no family of kernels is known for this CPU: OpenBLAS's own choice is tested by make test"
fi
