#!/usr/bin/env bash
# Builds the benchmark in release mode and runs it. Without arguments it also writes the tables of
# docs/performance.md; arguments are passed on instead.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install-packages.sh build
scripts/build.sh release quantiplan_bench
(($# > 0)) || set -- --page docs/performance.md
build/release/quantiplan_bench "$@"
