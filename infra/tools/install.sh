#!/usr/bin/env bash
# install.sh TOOL...: puts temporal, minio and tinygo into .tools/bin. A fit one on PATH is linked there; the others are
# built from the modules pinned beside this script. A stamp of the pin makes the second call instant.
# $PACKAGES names Debian packages that are wanted anyway, so that they are installed in one go with those of the tools.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
infra=$here/..
tools=$(cd "$infra/.." && pwd)/.tools

# about TOOL: sets what is built, with which tags, and the seconds that takes on 2 cores if temporal, tinygo and minio
# are built in this order with cold caches. (temporal and minio require the same versions of what they have in common.)
about() {
  tags=''
  case $1 in
  temporal) package=github.com/temporalio/cli/cmd/temporal seconds=140 ;;
  minio) package=github.com/minio/minio seconds=90 ;;
  tinygo) package=github.com/tinygo-org/tinygo seconds=20 tags=llvm19 ;;
  *) echo "install.sh: no tool $1; there are temporal, minio and tinygo" >&2; exit 2 ;;
  esac
}

pin() { cat "$here/$1"/* "$here/install.sh" | sha256sum; }

# fit TOOL PATH: whether the tool at PATH is new enough and, of TinyGo, has the library that it compiles with: one that
# was built in another checkout has it there.
fit() {
  local oldest version
  case $1 in
  temporal) oldest=1.3.0 version=$("$2" --version | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -n 1) ;;
  minio) oldest=2024-01-01 version=$("$2" --version | grep -oE 'RELEASE\.[0-9-]+' | cut -d. -f2 | head -n 1) ;;
  tinygo) oldest=0.41.0 version=$("$2" version | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -n 1) ;;
  esac
  [ -n "$version" ] && [ "$(printf '%s\n' "$oldest" "$version" | sort -V | head -n 1)" = "$oldest" ] || return 1
  [ "$1" != tinygo ] || [ -d "$("$2" env TINYGOROOT)/src/net" ]
}

# use TOOL: links the tool on PATH, if there is a fit one. The one that was built here is none, by whatever path.
use() {
  local found own
  own=$(readlink -f "$tools/bin/$1")
  while read -r found; do
    found=$(readlink -f "$found")
    [ -L "$tools/bin/$1" ] || [ "$found" != "$own" ] || continue
    fit "$1" "$found" || return 1
    echo "using $found"
    ln -sfn "$found" "$tools/bin/$1" || return 1
    [ "$1" != tinygo ] || rm -rf "$tools/tinygoroot" # its own root is complete
    return 0
  done < <(type -aP "$1")
  return 1
}

build() {
  local stale
  about "$1"
  cd "$here/$1"
  stale=$(go list -deps ${tags:+-tags "$tags"} -f '{{if .Stale}}stale{{end}}' "$package" 2>/dev/null |
    grep -c . || true)
  echo "building $1 from its pinned module"
  "$infra/progress.sh" "$1" "$seconds" "of $stale packages compiled" '^[^# ]+$' \
    go build -v -ldflags='-s -w' ${tags:+-tags "$tags"} -o "$tools/new/$1" "$package"
  mv -f "$tools/new/$1" "$tools/bin/$1" # until now an older one served
  [ "$1" != tinygo ] || "$here/tinygo/root.sh" "$tools/tinygoroot"
}

mkdir -p "$tools/bin" "$tools/new" "$tools/stamp"
missing=() packages=${PACKAGES:-} total=0
for tool in "$@"; do
  about "$tool"
  [ ! -x "$tools/bin/$tool" ] || [ "$(cat "$tools/stamp/$tool" 2>/dev/null)" != "$(pin "$tool")" ] || continue
  rm -f "$tools/stamp/$tool"
  if use "$tool"; then
    pin "$tool" >"$tools/stamp/$tool"
    continue
  fi
  missing+=("$tool") total=$((total + seconds))
  [ "$tool" != tinygo ] || packages+=" g++ llvm-19-dev libclang-19-dev clang-19 lld-19 libclang-rt-19-dev-wasm32"
  [ "$tool" != tinygo ] || packages+=" wasi-libc binaryen"
done
[ ${#missing[@]} -gt 0 ] || exit 0

echo "to build: ${missing[*]}; with cold caches and 2 cores about $(((total + 119) / 60)) minutes, logs in $tools/log"
# Modules arrive while Debian packages are installed and the first tool is built. What does not arrive here fails below.
set -m # in a process group of its own, which ends as a whole
"$infra/modules.sh" "${missing[@]}" &
set +m
modules=$!
trap 'kill -- -$modules 2>/dev/null || true' EXIT
"$infra/packages.sh" $packages
for tool in "${missing[@]}"; do
  (build "$tool")
  pin "$tool" >"$tools/stamp/$tool"
done
wait $modules || true
