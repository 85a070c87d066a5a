#!/usr/bin/env bash
# packages.sh PACKAGE...: installs the Debian packages that are missing, after saying which; says nothing otherwise.
set -euo pipefail

if ! command -v dpkg-query >/dev/null; then
  echo "not a Debian system: provide what these packages hold yourself: $*" >&2
  exit 0
fi

missing=()
for package in "$@"; do
  status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
  [ "$status" = "install ok installed" ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null || { ! [ -t 0 ] && ! sudo -n true 2>/dev/null; }; then
    echo "missing Debian packages, and no way to become root here. Run this, then try again:" >&2
    echo "  apt-get update && apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

install() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 \
    install -y --no-install-recommends "${missing[@]}"
}
echo "installing Debian packages: ${missing[*]}"
# Package lists are absent from fresh images and may be stale elsewhere.
compgen -G '/var/lib/apt/lists/*Packages*' >/dev/null || "${as_root[@]}" apt-get -q update
install || { "${as_root[@]}" apt-get -q update && install; }
