#!/usr/bin/env bash
# Builds the Python package as a wheel, with GMP, fmt, zlib and other libraries inside (auditwheel), into
# build/wheel.
# The library and the program are those of build/release, which are compiled once, whoever asks first, or of the build
# folder QUANTIPLAN_PREBUILT.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install-packages.sh build
prebuilt=${QUANTIPLAN_PREBUILT:-$PWD/build/release}
[[ -n ${QUANTIPLAN_PREBUILT:-} ]] || scripts/web.sh --try
[[ -n ${QUANTIPLAN_PREBUILT:-} ]] || scripts/build.sh release quantiplan quantiplan_program

tools=build/python/tools
if ! cmp -s python/requirements-build.txt "$tools/installed.txt"; then
  rm -rf "$tools"
  python3 -m venv "$tools"
  "$tools/bin/pip" install -q --disable-pip-version-check -r python/requirements-build.txt
  cp python/requirements-build.txt "$tools/installed.txt"
fi

log=build/python/wheel.log
mkdir -p build/python build/wheel
rm -rf build/python/raw build/wheel/*.whl
echo "Building build/wheel"
export PATH=$PWD/$tools/bin:$PATH
if ! {
  QUANTIPLAN_PREBUILT=$prebuilt pip wheel --disable-pip-version-check --no-deps --no-build-isolation \
    --config-settings=build-dir=build/python/cmake -w build/python/raw . &&
    auditwheel repair -w build/wheel build/python/raw/*.whl
} > "$log" 2>&1; then
  tail -60 "$log" >&2
  echo "wheel: failed; the whole log is $log" >&2
  exit 1
fi
ls build/wheel/*.whl
