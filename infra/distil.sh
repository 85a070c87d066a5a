#!/usr/bin/env bash
# distil.sh RUN FLAG…: see to it that RUN has completed: wait for it if it goes on, and start it with these flags of
# epb start if it is not there.
set -euo pipefail
cd "$(dirname "$0")/.."
run=${1:?usage: infra/distil.sh RUN FLAG…}
shift
epb=${EPB:-bin/epb}

case $("$epb" status "$run" 2>/dev/null || true) in
"$run: completed"*) ;;
"$run: running"*) "$epb" watch "$run" ;;
*) "$epb" start --id "$run" "$@" --wait ;;
esac
