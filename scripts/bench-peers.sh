#!/usr/bin/env bash
# Installs the model checker Storm by its Python package, stormpy, into build/venv; `make bench` then
# compares with it. Nothing of it is part of Quantiplan.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install-packages.sh build
[[ -x build/venv/bin/python ]] || python3 -m venv build/venv
build/venv/bin/python -m pip install --quiet stormpy
build/venv/bin/python -c 'from importlib.metadata import version; print("stormpy", version("stormpy"), "in build/venv")'
