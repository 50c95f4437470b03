#!/usr/bin/env bash
# Pastes files into the documents, so that what is shown is what is tested.
#
#   <!-- paste: examples/use_library.cpp -->
#   ...replaced by the file as a code block...
#   <!-- end of paste -->
#
#   scripts/paste-examples.sh           rewrite README.md and docs/*.md
#   scripts/paste-examples.sh --check   change nothing; fail if a paste is out of date
set -euo pipefail
cd "$(dirname "$0")/.."

mode=${1:-write}
if [[ $mode != write && $mode != --check ]]; then
  echo "usage: scripts/paste-examples.sh [--check]" >&2
  exit 2
fi

# Prints a document with every paste renewed; fails if a file or a closing marker is missing.
renewed() {
  awk '
    function fail(text) { printf "%s:%d: %s\n", FILENAME, FNR, text > "/dev/stderr"; failed = 1; exit 1 }
    /^<!-- paste: .* -->$/ {
      if (inside) fail("a paste inside a paste, expected <!-- end of paste --> first")
      file = $0; sub(/^<!-- paste: /, "", file); sub(/ -->$/, "", file)
      language = file; sub(/.*\./, "", language)
      print; print "```" language
      lines = 0
      while ((status = (getline line < file)) > 0) { print line; ++lines }
      close(file)
      if (status < 0 || lines == 0) fail("cannot read " file)
      print "```"
      inside = 1; next
    }
    /^<!-- end of paste -->$/ { inside = 0 }
    !inside { print }
    END { if (!failed && inside) fail("the file ends inside a paste, expected <!-- end of paste -->") }
  ' "$1"
}

temporary=$(mktemp)
trap 'rm -f "$temporary"' EXIT
stale=0 pastes=0
for document in README.md docs/*.md; do
  [[ -f $document ]] || continue
  grep -q '^<!-- paste: ' "$document" || continue
  pastes=$((pastes + 1))
  renewed "$document" > "$temporary"
  cmp -s "$temporary" "$document" && continue
  if [[ $mode == --check ]]; then
    diff -u "$document" "$temporary" >&2 || true
    echo "$document: a paste is out of date; run scripts/paste-examples.sh" >&2
    stale=1
  else
    cat "$temporary" > "$document"
    echo "renewed $document"
  fi
done
if ((pastes == 0)); then
  echo "no document contains <!-- paste: FILE -->; README.md should show examples/use_library.cpp" >&2
  exit 1
fi
exit $stale
