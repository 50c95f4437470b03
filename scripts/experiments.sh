#!/usr/bin/env bash
# The paper's experiments and what lies beyond them: tables and figures in docs/figures/.
# Finished points are kept: remove a table to have it measured again. Arguments go to each figure
# (--quick, --limit 60, --out DIR).
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install-packages.sh build plot
scripts/build.sh release quantiplan_program
(($# > 0)) || set -- --beyond
for figure in fig3 fig1 fig2; do
  build/release/quantiplan experiment "$figure" --out docs/figures "$@"
done
