#!/usr/bin/env bash
# progress.sh NAME SECONDS COUNTED PATTERN COMMAND...: runs COMMAND with its output in .tools/log/NAME.log and says
# every ten seconds how far it is: how many lines of the log match PATTERN (they are COUNTED), and its time so far
# against the usual SECONDS. It prints nothing about a command that ends sooner. If the command fails, it shows the end
# of the log.
set -euo pipefail

name=$1 usual=$2 counted=$3 pattern=$4
shift 4
log=$(cd "$(dirname "$0")/.." && pwd)/.tools/log/$name.log
mkdir -p "$(dirname "$log")"
: >"$log"

clock() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

report() {
  while sleep 10 >/dev/null 2>&1; do # what is left of it when the command ends holds no pipe open
    echo "  $name: $(grep -cE "$pattern" "$log") $counted, $(clock $SECONDS) of about $(clock "$usual")"
  done
}

SECONDS=0
report &
reporter=$!
trap 'kill $reporter 2>/dev/null || true' EXIT

status=0
"$@" >"$log" 2>&1 || status=$?
if [ $status -ne 0 ]; then
  echo "$name failed after $(clock $SECONDS). The end of $log:" >&2
  tail -n 30 "$log" >&2
elif [ $SECONDS -ge 10 ]; then
  echo "  $name: done in $(clock $SECONDS)"
fi
exit $status
