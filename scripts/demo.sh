#!/usr/bin/env bash
# Builds the program, solves the shipped data-centre example, and writes a page to look at it.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install-packages.sh build
scripts/build.sh release quantiplan_program

command=(build/release/quantiplan solve examples/datacenter.json
  --tau 0.1 --side lower --distribution)
echo "\$ ${command[*]}"
"${command[@]}"

# The page comes last: node and its packages may have to be fetched first. Without them all else works.
scripts/web.sh --try
if [[ -f build/web/page_template.cpp ]]; then
  scripts/build.sh release quantiplan_program > /dev/null
  command=(build/release/quantiplan report examples/datacenter.json --tau 0.1 --out build/datacenter.html --quiet)
  echo "\$ ${command[*]}"
  "${command[@]}"
  echo "A report to look at and play with: file://$PWD/build/datacenter.html"
fi
