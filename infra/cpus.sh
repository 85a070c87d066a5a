#!/usr/bin/env bash
# cpus.sh: shows which CPUs give the same bits. It prints a hash of the result of training, and the identity of the
# kernels, for every family of kernels that this machine can run and for CPUs that qemu emulates (Debian's package
# qemu-user).
#
# Lines with the same probe must have the same hash: with EPB_BLAS_CORE=Haswell all CPUs with AVX2 have one probe. An
# emulated CPU with AVX2 takes twenty minutes, because qemu computes fused multiply-adds in software. CPUS='Nehalem
# EPYC' chooses CPUs to emulate, CPUS= none.
set -euo pipefail
cd "$(dirname "$0")/.."

bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
go test -c -o "$bin/kernels" ./tensorops
go test -c -o "$bin/training" ./internal/student

# look WHERE COMMAND...: prints the result of one CPU with one choice of kernels.
look() {
  local where=$1 identity line bytes
  shift
  identity=$(TENSOROPS_TEST_CHILD=1 "$@" "$bin/kernels" 2>/dev/null || true)
  case $identity in
  *'"Refused":""'*) ;;
  *) printf '%-32s cannot run them\n' "$where"; return ;;
  esac
  line=$("$@" "$bin/training" -test.run 'TestSameBytesWhateverGOMAXPROCS' -test.v 2>/dev/null |
    sed -n 's/.* trained bytes //p' || true)
  [ -n "$line" ] || { printf '%-32s training failed\n' "$where"; return; }
  bytes=$(sha256sum <<<"$line" | cut -c1-12)
  printf '%-32s %-12s probe %s  training %s\n' "$where" "$(sed 's/.*"core":"\([^"]*\)".*/\1/' <<<"$identity")" \
    "$(sed 's/.*"probe":"\([^"]*\)".*/\1/' <<<"$identity")" "$bytes"
}

mapfile -t families < <(TENSOROPS_TEST_CHILD=families "$bin/kernels")
for core in '' "${families[@]}"; do
  look "this CPU, ${core:-its own choice}" env EPB_BLAS_CORE="$core"
done
if ! command -v qemu-x86_64 >/dev/null; then
  echo "no other CPU: qemu-x86_64 is not installed (apt-get install qemu-user)"
  exit 0
fi
for cpu in ${CPUS-Nehalem Haswell EPYC}; do
  for core in '' Prescott; do
    look "emulated $cpu, ${core:-its own choice}" env EPB_BLAS_CORE="$core" qemu-x86_64 -cpu "$cpu"
  done
done
