#!/usr/bin/env bash
# modules.sh [TOOL...]: downloads the Go modules from which the tools, EPB and its tests are built.
set -euo pipefail

cd "$(dirname "$0")"
# go list downloads the modules of the packages that it lists, and no others.
# shellcheck disable=SC2016
exec ./progress.sh modules 60 'modules downloaded' '^go: downloading' bash -euc '
  for tool in "$@"; do
    go -C "tools/$tool" list -deps tool >/dev/null
  done
  go -C .. list -deps -test ./... >/dev/null' modules "$@"
