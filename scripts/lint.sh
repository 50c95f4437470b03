#!/usr/bin/env bash
# clang-format and clang-tidy over all sources that git knows; findings are errors.
#   scripts/lint.sh               check
#   scripts/lint.sh --format      clang-format alone
#   scripts/lint.sh --fix-format  rewrite the sources as clang-format wants them
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install-packages.sh build test clang
mapfile -t sources < <(git ls-files --cached --others --exclude-standard '*.cpp' '*.hpp' |
  while read -r file; do [[ -f $file ]] && echo "$file"; done)
if ((${#sources[@]} == 0)); then
  echo "lint: git lists no sources here" >&2
  exit 1
fi

if [[ ${1:-} == --fix-format ]]; then
  clang-format-14 -i "${sources[@]}"
  exit 0
fi

status=0
echo "clang-format: ${#sources[@]} files"
if ! clang-format-14 --dry-run --Werror "${sources[@]}" 2> /dev/null; then
  for source in "${sources[@]}"; do
    clang-format-14 "$source" | cmp -s - "$source" || echo "$source: layout differs from clang-format's" >&2
  done
  status=1
fi

if [[ ${1:-} == --format ]]; then exit $status; fi

# clang-tidy needs the commands that clang itself would be given.
mkdir -p build/lint
if ! cmake --preset lint > build/lint/configure.log 2>&1; then
  cat build/lint/configure.log >&2
  exit 1
fi
log=build/lint/tidy.log
echo "clang-tidy: all files that are compiled, several at a time"
if ! run-clang-tidy-14 -quiet -p build/lint -j "$(nproc)" > "$log" 2> /dev/null; then
  sed -i 's/\x1b\[[0-9;]*m//g' "$log"
  grep -A6 -E '(warning|error): ' "$log" >&2 || cat "$log" >&2
  status=1
fi
if ((status != 0)); then echo "lint: findings above; 'make format' mends the layout" >&2; fi
exit $status
