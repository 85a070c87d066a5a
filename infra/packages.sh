#!/usr/bin/env bash
# packages.sh PACKAGE...: installs the Debian packages that are missing, after listing them. It prints nothing if none
# is missing.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
if ! command -v dpkg-query >/dev/null; then
  echo "not a Debian system: provide what these packages hold yourself: $*" >&2
  exit 0
fi

# look PACKAGE...: sets the variable missing to those that are not installed.
look() {
  local package status
  missing=()
  for package in "$@"; do
    status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
    [ "$status" = "install ok installed" ] || missing+=("$package")
  done
}
look "$@"
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

# Under make -j another call of this script may be installing the same packages.
mkdir -p "$here/../.tools"
exec 9>"$here/../.tools/packages.lock"
flock 9
look "$@"
[ ${#missing[@]} -gt 0 ] || exit 0

apt() {
  "$here/progress.sh" packages 60 'packages unpacked' '^Unpacking ' \
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 "$@"
}
install() { apt install -y --no-install-recommends "${missing[@]}"; }

echo "installing Debian packages: ${missing[*]}"
# Package lists are absent from fresh images and may be stale elsewhere.
compgen -G '/var/lib/apt/lists/*Packages*' >/dev/null || apt update
install || { apt update && install; }
