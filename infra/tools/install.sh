#!/usr/bin/env bash
# install.sh temporal|minio|tinygo: puts the tool into .tools/bin. A fit one on PATH is linked there; otherwise it
# is built from the module pinned beside this script. A stamp of the pin makes the second call instant.
set -euo pipefail

tool=$1
here=$(cd "$(dirname "$0")" && pwd)
tools=$(cd "$here/../.." && pwd)/.tools
binary=$tools/bin/$tool
stamp=$tools/stamp/$tool

case $tool in
temporal) package=github.com/temporalio/cli/cmd/temporal tags='' ;;
minio) package=github.com/minio/minio tags='' ;;
tinygo) package=github.com/tinygo-org/tinygo tags=llvm19 ;;
*) echo "install.sh: no tool $tool; there are temporal, minio and tinygo" >&2; exit 2 ;;
esac

pin=$(cat "$here/$tool"/* "$0" | sha256sum)
if [ -x "$binary" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$pin" ]; then
  exit 0
fi
mkdir -p "$tools/bin" "$tools/stamp"
rm -f "$stamp"

# fit PATH: whether the tool at PATH is new enough.
fit() {
  local oldest version
  case $tool in
  temporal) oldest=1.3.0 version=$("$1" --version | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -n 1) ;;
  minio) oldest=2024-01-01 version=$("$1" --version | grep -oE 'RELEASE\.[0-9-]+' | cut -d. -f2 | head -n 1) ;;
  tinygo) oldest=0.41.0 version=$("$1" version | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -n 1) ;;
  esac
  [ -n "$version" ] && [ "$(printf '%s\n' "$oldest" "$version" | sort -V | head -n 1)" = "$oldest" ]
}

found=$(type -aP "$tool" | grep -vxF "$binary" | head -n 1 || true)
if [ -n "$found" ] && fit "$found"; then
  echo "using $found"
  ln -sfn "$found" "$binary"
  [ "$tool" != tinygo ] || rm -rf "$tools/tinygoroot" # its own root is complete
else
  if [ "$tool" = tinygo ]; then
    "$here/../packages.sh" g++ llvm-19-dev libclang-19-dev clang-19 lld-19 libclang-rt-19-dev-wasm32 wasi-libc binaryen
  fi
  echo "building $tool from its pinned module (minutes when cold)"
  rm -f "$binary"
  (cd "$here/$tool" && go build ${tags:+-tags "$tags"} -o "$binary" "$package")
  [ "$tool" != tinygo ] || "$here/tinygo/root.sh" "$tools/tinygoroot"
fi
echo "$pin" >"$stamp"
