#!/usr/bin/env bash
# Builds the program and solves the shipped data-centre example.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install-packages.sh build
scripts/build.sh release quantiplan_program

command=(build/release/quantiplan solve examples/datacenter.json
  --tau 0.1 --side lower --distribution)
echo "\$ ${command[*]}"
"${command[@]}"
