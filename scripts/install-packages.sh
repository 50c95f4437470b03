#!/usr/bin/env bash
# Installs what is missing of the named groups of scripts/packages.txt:
#   scripts/install-packages.sh build test
# Does nothing, quickly, if nothing is missing, or if QUANTIPLAN_SKIP_INSTALL is set.
set -euo pipefail
list="$(dirname "$0")/packages.txt"

[[ -n ${QUANTIPLAN_SKIP_INSTALL:-} ]] && exit 0

wanted=()
for group in "$@"; do
  mapfile -t members < <(awk -v group="$group" '$1 == group { print $2 }' "$list")
  if ((${#members[@]} == 0)); then
    echo "install-packages: unknown group '$group', expected one of the first column of $list" >&2
    exit 2
  fi
  wanted+=("${members[@]}")
done

if ! command -v dpkg-query > /dev/null || ! command -v apt-get > /dev/null; then
  echo "install-packages: this is no Debian system. Install the equivalents of: ${wanted[*]}" >&2
  echo "install-packages: then set QUANTIPLAN_SKIP_INSTALL=1" >&2
  exit 1
fi

missing=()
for package in "${wanted[@]}"; do
  state=$(dpkg-query -W -f '${db:Status-Status} ' "$package" 2> /dev/null || true)
  [[ " $state" == *" installed "* ]] || missing+=("$package")
done
((${#missing[@]} == 0)) && exit 0

as_root=()
if (($(id -u) != 0)); then
  if ! command -v sudo > /dev/null; then
    echo "install-packages: neither root nor sudo. As root, run:" >&2
    echo "  apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
quietly() {
  if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive "$@" > "$log" 2>&1; then
    cat "$log" >&2
    echo "install-packages: failed: $*" >&2
    exit 1
  fi
}
echo "Installing Debian packages: ${missing[*]}"
quietly apt-get update -q
quietly apt-get install -q -y --no-install-recommends "${missing[@]}"
