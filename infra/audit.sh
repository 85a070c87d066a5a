#!/usr/bin/env bash
# audit.sh: looks at EPB's pages in a headless Chromium, as their readers do. For each page it says whether
#   - the console has an error or a warning, or anything is asked of a network;
#   - the page has less than 5 MB and answers a key within 2 s;
#   - the tab key goes through all of it, and keys lead to the steps that they promise;
#   - a file that is dropped on it and nodes that are drawn are solved as epb solve does;
#   - paper gets all code;
#   - axe finds anything serious, and nothing is wider than the window: light and dark, 1400 and 390 pixels wide.
# Screenshots and PDF files go to .audit (or OUT).
#
# Usage: CHROME=/usr/bin/chromium infra/audit.sh [PAGE.html[=STUDENT]...]
# STUDENT is the folder of the student of a page by epb explain; that of a report lies beside it. Without pages the
# script makes some: it sketches two students of the built-in teacher, explains, compares, and takes the largest report
# that there should be. infra/audit/package-lock.json pins the libraries, which npm fetches.
set -euo pipefail
cd "$(dirname "$0")/.."

chrome=
if [ -n "${CHROME:-}" ]; then
  chrome=$(command -v "$CHROME") || { echo "audit: there is no $CHROME, which CHROME names"; exit 1; }
fi
for name in chromium chromium-browser google-chrome; do chrome=${chrome:-$(command -v "$name" || true)}; done
for missing in "node:$(command -v node || true)" "npm:$(command -v npm || true)" "Chromium (CHROME=):$chrome"; do
  [ -n "${missing#*:}" ] || { echo "audit: skipped, since there is no ${missing%:*}"; exit 0; }
done
[ -d infra/audit/node_modules/axe-core ] || npm --prefix infra/audit ci --silent --no-audit --no-fund

export CHROME=$chrome EPB=$PWD/bin/epb OUT=${OUT:-$PWD/.audit}
mkdir -p "$OUT"
if [ $# -eq 0 ]; then
  made=$OUT/made-$(git rev-parse --short HEAD) # pages of this commit
  mkdir -p "$made"
  teacher=builtin:pomo-tsp20
  for seed in 1 2; do
    [ -f "$made/s$seed/student.json" ] ||
      "$EPB" sketch --teacher $teacher --train 300 --test 20 --programs 6 --no-rankers --seed $seed --out "$made/s$seed"
  done
  awk 'BEGIN { srand(1); for (i = 0; i < 60; i++) printf "%d,%d\n", 1000 * rand(), 1000 * rand() }' >"$made/sixty.csv"
  "$EPB" explain "$made/sixty.csv" --student "$made/s1" --teacher $teacher --html "$made/explain.html" >/dev/null
  "$EPB" compare "$made/s1" "$made/s2" --teachers $teacher --instances 20 --html "$made/compare.html" >/dev/null
  EPB_PAGES=$made go test -count=1 ./internal/report -run '^TestSizeOfPage$' >/dev/null
  set -- "$made/explain.html=$made/s1" "$made/compare.html" "$made/large.html"
fi
exec node infra/audit/audit.mjs "$@"
