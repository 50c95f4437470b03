#!/usr/bin/env bash
# Makes the page of `quantiplan report` out of web/, for the next build of the program to carry: build/web/page.html.
#   scripts/web.sh            installs node and the packages of web/package-lock.json where they are missing
#   scripts/web.sh --try      the same, but where that cannot be done it says so and is content
# Does nothing, quickly, if nothing has changed since.
set -euo pipefail
cd "$(dirname "$0")/.."

made=build/web/made-of.txt
log=build/web/web.log
mkdir -p build/web
sum=$(cat web/package-lock.json web/*.mjs web/*.json web/src/* | sha256sum)
if [[ -f build/web/page_template.cpp && -f $made && $(< "$made") == "$sum" ]]; then exit 0; fi

give_up() {
  [[ -s $log && ${2:-} == log ]] && tail -20 "$log" >&2
  echo "web: $1; the program is built without \`quantiplan report\`, all else works" >&2
  [[ ${want:-} == try ]] && exit 0
  exit 1
}
[[ ${1:-} == --try ]] && want=try

: > "$log"
if ! command -v node > /dev/null || ! command -v npm > /dev/null; then
  scripts/install-packages.sh web > "$log" 2>&1 || give_up "cannot install node and npm" log
fi
if ! cmp -s web/package-lock.json web/node_modules/installed.json; then
  echo "Installing node packages into web/node_modules"
  (cd web && npm ci --no-audit --no-fund --ignore-scripts) > "$log" 2>&1 || give_up "cannot install the node packages" log
  cp web/package-lock.json web/node_modules/installed.json
fi
(cd web && node_modules/.bin/tsc -p . && node build.mjs ../build/web.new) > "$log" 2>&1 || give_up "cannot make the page" log
for name in page.html page_template.cpp; do
  # What has not changed is not built again.
  cmp -s "build/web.new/$name" "build/web/$name" || mv "build/web.new/$name" "build/web/$name"
done
rm -rf build/web.new
echo "$sum" > "$made"
