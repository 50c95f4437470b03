#!/usr/bin/env bash
# Configures a preset (CMakePresets.json) and builds it, quietly unless something fails:
#   scripts/build.sh PRESET            everything
#   scripts/build.sh PRESET TARGET...  these targets only; needs no test packages
set -euo pipefail
cd "$(dirname "$0")/.."

preset=$1
targets=("${@:2}")
folder=build/$preset
log=$folder/build.log
mkdir -p "$folder"

configure=(cmake --preset "$preset")
build=(cmake --build "$folder" --parallel "$(nproc)")
if ((${#targets[@]} > 0)); then
  build+=(--target "${targets[@]}")
  # A folder that is already configured, perhaps with tests, stays as it is.
  if [[ -f $folder/build.ninja ]]; then configure=(true); else configure+=(-DQUANTIPLAN_TESTS=OFF); fi
fi

echo "Building $folder"
if ! "${configure[@]}" > "$log" 2>&1; then
  cat "$log" >&2
  echo "build: cannot configure $preset" >&2
  exit 1
fi
# How far the build has come: once a second on a terminal, every tenth elsewhere.
show_progress() {  # show_progress PID
  local built total tenth last=0
  while kill -0 "$1" 2> /dev/null; do
    sleep 1
    IFS=/ read -r built total < <(grep -oE '^\[[0-9]+/[0-9]+\]' "$log" | tail -1 | tr -d '[]') || continue
    if [[ -t 1 ]]; then
      printf '\r%s of %s files' "$built" "$total"
    else
      tenth=$((10 * built / total))
      if ((tenth > last)); then echo "  $built of $total files"; fi
      last=$tenth
    fi
  done
  if [[ -t 1 ]]; then printf '\r\033[K'; fi
}

"${build[@]}" >> "$log" 2>&1 &
builder=$!
trap 'kill "$builder" 2> /dev/null || true' EXIT
show_progress "$builder"
trap - EXIT
if ! wait "$builder"; then
  grep -E -m 1 -A 80 '^FAILED:' "$log" >&2 || tail -80 "$log" >&2
  echo "build: cannot build $preset; the whole log is $log" >&2
  exit 1
fi
