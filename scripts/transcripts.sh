#!/usr/bin/env bash
# Renews the transcripts that README.md and docs/ show, from a built program.
#
#   scripts/transcripts.sh [PROGRAM]           default build/release/quantiplan
#
# The line that tells seconds is left out: it differs on every run. tests/cli/test_transcripts.py
# compares the rest with what the program prints.
set -euo pipefail
cd "$(dirname "$0")/.."
program=$(realpath "${1:-build/release/quantiplan}")

record() { # NAME ARGUMENTS...
  local name=$1
  shift
  {
    echo "\$ quantiplan $*"
    LC_ALL=C.UTF-8 "$program" "$@" | sed '/^Work: /d'
  } > "examples/transcripts/$name.txt"
}

record commute solve examples/commute.json --tau 0.1 --side upper
record datacenter solve examples/datacenter.json --tau 0.1 --distribution
record gathering solve examples/gathering.prism --const danger=0.1 --reward steps --goal rich --cost --tau 0.2,0.05
record machine solve examples/machine.json --tau 0.1
record service solve examples/service.json --tau 0.2,0.5
record two-games solve examples/two-games.json --tau 0.5 --engine lattice --epsilon 0.5 --no-comparison
record two-minds solve examples/two-minds.json --tau 0.5 --side upper --attitude all,within:1,within:4
record upload solve examples/upload.json --tau 0.05,0.5
record workflow frontier examples/workflow.json --tau 0.1,0.5 --side both
