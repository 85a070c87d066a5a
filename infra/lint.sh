#!/usr/bin/env bash
# lint.sh: fails on lines of more than 120 columns (a tab counts as 4), and on exported Go names without a doc comment.
# Tables, links and code blocks of Markdown, test data and generated files may be wider.
set -euo pipefail
cd "$(dirname "$0")/.."

# Long lines of files that are not Go, as path:line: text.
long() {
  local path
  git ls-files -co --exclude-standard -- '*.c' '*.h' '*.sh' '*.py' '*.md' '*.yaml' Makefile .ci |
    grep -v /testdata/ | while read -r path; do
      case $path in
      *.md) awk '/^ *```/ { block = !block } { print block || /^\|/ || /\]\(|:\/\// ? "" : $0 }' "$path" ;;
      *) sed 's/\t/    /g' "$path" ;;
      esac | { LC_ALL=C.UTF-8 grep -nE '^.{121}' || true; } | sed "s|^|$path:|"
    done
}

# The folders of the code. Others, such as runs and banks that a user keeps in the checkout, hold programs.
mapfile -t house < <(git ls-files '*/*.go' | cut -d/ -f1 | sort -u)
# Each assignment ends the script if what it runs fails.
of_go=$(go tool -modfile=infra/tools/lint/go.mod revive -config infra/tools/lint/revive.toml -formatter unix \
  "${house[@]/%//...}")
of_others=$(long)
findings=$(printf '%s\n' "$of_go" "$of_others" | { grep . || true; } | sort)
[ -z "$findings" ] || { echo "$findings"; exit 1; }
