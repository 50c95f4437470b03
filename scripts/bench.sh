#!/usr/bin/env bash
# Builds the benchmark in release mode and runs it; arguments are passed on.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install-packages.sh build
scripts/build.sh release quantiplan_bench
build/release/quantiplan_bench "$@"
