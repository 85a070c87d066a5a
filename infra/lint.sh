#!/usr/bin/env bash
# lint.sh: lines of more than 120 columns (a tab counts as 4), and exported Go names without a doc comment. Tables and
# links of Markdown, test data and generated files may be wider. It prints how many findings each folder has.
set -euo pipefail
cd "$(dirname "$0")/.."

# Long lines of files that are not Go, as path:line: text.
long() {
  git ls-files -co --exclude-standard -- '*.c' '*.h' '*.sh' '*.py' '*.md' '*.yaml' Makefile .ci |
    grep -v /testdata/ | while read -r path; do
      tables='^$'
      [[ $path != *.md ]] || tables='^[0-9]+:([|]|.*(\]\(|://))'
      sed 's/\t/    /g' "$path" | { LC_ALL=C.UTF-8 grep -nE '^.{121}' || true; } |
        { grep -vE "$tables" || true; } | sed "s|^|$path:|"
    done
}

{
  go tool -modfile=infra/tools/lint/go.mod revive -config infra/tools/lint/revive.toml -formatter unix ./...
  long
} | grep . | sed -E 's|^([^:]*)/[^/:]*:.*|\1|; s|^[^:]*:.*|.|' | sort | uniq -c | sort -rn
