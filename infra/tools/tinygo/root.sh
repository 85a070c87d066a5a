#!/usr/bin/env bash
# root.sh DIR: makes DIR the TINYGOROOT of a TinyGo built from its Go module.
#
# The module's zip lacks TinyGo's git submodules. Compiling to wasm needs two of them: net, imported by the
# runtime's system package but unused there, so a stub does; and wasi-libc, whose archive Debian ships.
# targets/epb.json is TinyGo's wasm-unknown with Debian's libraries in place of the missing sources.
set -euo pipefail

root=$1
module=$(cd "$(dirname "$0")" && go list -m -f '{{.Dir}}' github.com/tinygo-org/tinygo)

archive() { # archive PACKAGE FILE: where Debian put it
  local path
  path=$(dpkg -L "$1" | grep "/$2\$" | head -n 1)
  [ -n "$path" ] || { echo "no $2 in package $1; reinstall it: apt-get install --reinstall $1" >&2; exit 1; }
  echo "$path"
}
builtins=$(archive libclang-rt-19-dev-wasm32 libclang_rt.builtins-wasm32.a)
libc=$(archive wasi-libc libc.a)

rm -rf "$root"
mkdir -p "$root/src/net"
cp -r "$module/src" "$module/targets" "$root/"
chmod -R u+w "$root"
mkdir -p "$root/src/net"
echo 'package net' >"$root/src/net/net.go"

cat >"$root/targets/epb.json" <<JSON
{
	"llvm-target": "wasm32-unknown-unknown",
	"cpu": "mvp",
	"features": "+nontrapping-fptoint,+sign-ext,-bulk-memory,-multivalue,-reference-types",
	"build-tags": ["tinygo.wasm", "wasm_unknown"],
	"buildmode": "c-shared",
	"goos": "linux",
	"goarch": "arm",
	"linker": "wasm-ld",
	"scheduler": "none",
	"gc": "leaking",
	"default-stack-size": 65536,
	"cflags": [
		"-mnontrapping-fptoint",
		"-mno-bulk-memory",
		"-mno-multivalue",
		"-mno-reference-types",
		"-msign-ext"
	],
	"ldflags": [
		"--stack-first",
		"--no-demangle",
		"--no-entry",
		"$builtins",
		"$libc"
	],
	"extra-files": ["src/runtime/asm_tinygowasm.S"]
}
JSON
