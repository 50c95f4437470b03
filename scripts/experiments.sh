#!/usr/bin/env bash
# The paper's experiments and what lies beyond them, measured on this machine: tables and figures in
# build/experiments/, in about half an hour. Finished points are kept: a run that was interrupted goes
# on, and a table is measured again once it is removed. Arguments go to each figure instead of these:
#   scripts/experiments.sh --quick --out /some/folder
#   scripts/experiments.sh --beyond --out docs/figures    what docs/experiments.md shows
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install-packages.sh build plot
scripts/build.sh release quantiplan_program
(($# > 0)) || set -- --beyond --out build/experiments
for figure in fig3 fig1 fig2; do
  build/release/quantiplan experiment "$figure" "$@"
done
