#!/usr/bin/env bash
# Builds the benchmark in release mode and runs it. Without arguments it also writes the tables of
# docs/performance.md, that against Storm if `make bench-peers` was run before; arguments are passed on
# instead.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install-packages.sh build
if (($# > 0)); then
  scripts/build.sh release quantiplan_bench
  exec build/release/quantiplan_bench "$@"
fi
scripts/build.sh release quantiplan_bench quantiplan_program
build/release/quantiplan_bench --page docs/performance.md
if build/venv/bin/python -c 'import stormpy' 2> /dev/null; then
  build/venv/bin/python bench/python/storm.py --page docs/performance.md
else
  echo "Against Storm: not run, stormpy is not installed in build/venv (make bench-peers)."
fi
