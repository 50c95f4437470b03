#!/usr/bin/env bash
# Builds and runs tests, stage by stage, and ends with one line: N passed, M failed.
#   scripts/test.sh STAGE...
# release, sanitize, tsan, clang   the tests in that build (CMakePresets.json)
# release-long                     those of `release`, with more random models for each property
# kernels                          the program once with each kernel, same answer expected
# bench                            the benchmark is built
# fuzz, fuzz-long                  each libFuzzer target of the build `sanitize`, from its seeds
# python                           the wheel, in a virtual environment with nothing but numpy, and in one with
#                                  all that the tests of the package need
# python-storm                     the same with stormpy, as a second opinion
# web                              the page of `quantiplan report`, in headless Chromium
# storm                            what the program reads and writes, held to Storm and umbi
# lint                             scripts/lint.sh
# A stage that fails does not keep the others from running.
set -euo pipefail
cd "$(dirname "$0")/.."

fuzz_seconds=${QUANTIPLAN_FUZZ_SECONDS:-20}
fuzz_long_seconds=${QUANTIPLAN_FUZZ_LONG_SECONDS:-600}
# Sanitized code runs several times slower, so it gets fewer random models per property.
sanitized_cases=${QUANTIPLAN_SANITIZED_CASES:-50}
long_cases=${QUANTIPLAN_LONG_CASES:-2000}

passed=0
failed=0
count() {  # count PASSED FAILED
  passed=$((passed + $1))
  failed=$((failed + $2))
}

# The tests of a build folder; further arguments go to ctest. Shows failures and the summary only.
run_ctest() {
  local folder=build/$1 tests failures
  local report=$PWD/$folder/ctest.xml
  rm -f "$report"
  local status=0
  ctest --test-dir "$folder" --parallel "$(nproc)" --output-on-failure --no-tests=error \
    --no-label-summary --output-junit "$report" "${@:2}" 2>&1 |
    grep -vE '^Internal ctest|^Test project|^ *Start +[0-9]+:|Passed +[0-9.]+ sec$|^$' || status=${PIPESTATUS[0]}
  if [[ ! -f $report ]]; then
    count 0 1
    return
  fi
  tests=$(grep -oP '\btests="\K[0-9]+' "$report" | head -1)
  failures=$(grep -oP '\bfailures="\K[0-9]+' "$report" | head -1)
  if ((status != 0 && failures == 0)); then failures=1; fi
  count $((tests - failures)) "$failures"
}

build_and_test() {  # build_and_test PRESET [CTEST ARGUMENT...]
  scripts/build.sh "$1" || { count 0 1; return; }
  run_ctest "$@"
}

# Every target for some seconds, as many at a time as there are cores. What is found stays in
# build/fuzz/found/: shrink it, mend the bug, keep the input in tests/fuzz/regressions/.
fuzz() {  # fuzz SECONDS
  scripts/build.sh sanitize fuzzers || { count 0 1; return; }
  local target program
  mkdir -p build/fuzz/found build/fuzz/logs
  rm -f build/fuzz/logs/*
  for program in build/sanitize/fuzzers/*_fuzz; do
    [[ -x $program ]] || continue
    echo "${program##*/}"
  done > build/fuzz/targets
  xargs -a build/fuzz/targets -P "$(nproc)" -I TARGET scripts/fuzz-one.sh TARGET "$1" || true
  while read -r target; do
    if [[ -f build/fuzz/logs/$target.passed ]]; then
      count 1 0
    else
      tail -40 "build/fuzz/logs/$target.log" >&2
      echo "fuzz: $target failed; the input is in build/fuzz/found/" >&2
      count 0 1
    fi
  done < build/fuzz/targets
}

# The property tests walk all kernels on small models; here each solves the shipped example.
kernels() {
  scripts/build.sh release || { count 0 1; return; }
  local kernel answer expected="" status
  for kernel in $(grep -ohP '\{"\K(reference|vector)[^"]*' src/kernels/*.cpp | sort); do
    status=0
    answer=$(build/release/quantiplan solve examples/datacenter.json --tau 0.1,0.5,0.9 --side both \
      --representation dense --kernel "$kernel" --json) || status=$?
    if ((status == 2)); then
      echo "kernel $kernel: not supported by this processor, skipped"
      continue
    fi
    # Seconds and the kernel's name may differ, the results may not.
    answer=$(python3 -c 'import json, sys; print(json.load(sys.stdin)["results"])' <<< "$answer")
    expected=${expected:-$answer}
    if ((status == 0)) && [[ $answer == "$expected" ]]; then
      count 1 0
    else
      echo "kernel $kernel: exit code $status, found $answer, expected $expected" >&2
      count 0 1
    fi
  done
}

# A fresh virtual environment each time: what a new user meets.
python_package() {  # python_package REQUIREMENTS...
  local bare=build/python/bare tests=build/python/tests wheel report status=0 list
  scripts/wheel.sh || { count 0 1; return; }
  wheel=$(echo build/wheel/*.whl)
  rm -rf "$bare" "$tests"
  python3 -m venv "$bare"
  "$bare/bin/pip" install -q --disable-pip-version-check "$wheel" || { count 0 1; return; }
  if "$bare/bin/python" tests/python/bare.py && "$bare/bin/quantiplan" --version > /dev/null; then
    count 1 0
  else
    echo "python: the wheel does not run with nothing but numpy" >&2
    count 0 1
  fi
  python3 -m venv "$tests"
  list=()
  for requirements in "$@"; do list+=(-r "$requirements"); done
  "$tests/bin/pip" install -q --disable-pip-version-check "${list[@]}" "$wheel" || { count 0 1; return; }
  report=$PWD/build/python/pytest.xml
  rm -f "$report"
  "$tests/bin/python" -m pytest -q -p no:cacheprovider --junitxml "$report" tests/python || status=$?
  if [[ ! -f $report ]]; then count 0 1; return; fi
  local total failures
  total=$(grep -oP '\btests="\K[0-9]+' "$report" | head -1)
  failures=$(python3 -c 'import sys, xml.etree.ElementTree as e
s = e.parse(sys.argv[1]).getroot().find("testsuite").attrib
print(int(s["failures"]) + int(s["errors"]))' "$report")
  if ((status != 0 && failures == 0)); then failures=1; fi
  count $((total - failures)) "$failures"
}

# A page that cannot be made is a failure here: whoever tests wants to know.
web() {
  scripts/web.sh || { count 0 1; return; }
  scripts/build.sh release quantiplan_program || { count 0 1; return; }
  if ! command -v chromium > /dev/null; then scripts/install-packages.sh browser || { count 0 1; return; }; fi
  local log=build/web/test.log status=0
  QUANTIPLAN=$PWD/build/release/quantiplan node --test --test-reporter=tap web/test/report.test.mjs > "$log" 2>&1 || status=$?
  if ((status != 0)); then cat "$log" >&2; fi
  local tests failures
  tests=$(grep -oP '^# pass \K[0-9]+' "$log" | tail -1)
  failures=$(grep -oP '^# fail \K[0-9]+' "$log" | tail -1)
  if ((status != 0 && ${failures:-0} == 0)); then failures=1; fi
  count "${tests:-0}" "${failures:-1}"
}

# Skipped by name where stormpy and umbi cannot be installed.
storm() {
  local venv=build/storm/venv report=$PWD/build/storm/pytest.xml status=0
  scripts/build.sh release quantiplan_program || { count 0 1; return; }
  rm -rf build/storm
  python3 -m venv "$venv"
  if ! "$venv/bin/pip" install -q --disable-pip-version-check -r tests/cli/requirements-storm.txt; then
    echo "storm: skipped, stormpy and umbi cannot be installed here" >&2
    return
  fi
  QUANTIPLAN=$PWD/build/release/quantiplan "$venv/bin/python" -m pytest -q -p no:cacheprovider \
    --junitxml "$report" tests/cli/test_storm.py || status=$?
  local total
  total=$(grep -oP '\btests="\K[0-9]+' "$report" | head -1)
  if ((status == 0)); then count "$total" 0; else count 0 1; fi
}

bench() {
  if scripts/build.sh release quantiplan_bench; then count 1 0; else count 0 1; fi
}

packages=(build test plot)
for stage in "$@"; do
  case $stage in
    sanitize* | clang | fuzz* | lint) packages+=(clang) ;;
  esac
done
scripts/install-packages.sh "${packages[@]}"
# Before the builds, which carry it.
scripts/web.sh --try

for stage in "$@"; do
  echo "== $stage"
  case $stage in
    release | clang) build_and_test "$stage" ;;
    sanitize) QUANTIPLAN_PROPERTY_CASES=$sanitized_cases build_and_test "$stage" ;;
    tsan)
      TSAN_OPTIONS="suppressions=$PWD/tests/sanitizers/thread.supp" \
        QUANTIPLAN_PROPERTY_CASES=$sanitized_cases build_and_test "$stage"
      ;;
    release-long) QUANTIPLAN_PROPERTY_CASES=$long_cases build_and_test release ;;
    kernels) kernels ;;
    bench) bench ;;
    python) python_package tests/python/requirements.txt ;;
    storm) storm ;;
    python-storm) python_package tests/python/requirements.txt tests/python/requirements-storm.txt ;;
    # The same mutations every time: what a change breaks is found here, what is new by fuzz-long.
    fuzz) QUANTIPLAN_FUZZ_SEED=1 fuzz "$fuzz_seconds" ;;
    fuzz-long) fuzz "$fuzz_long_seconds" ;;
    web) web ;;
    lint) if scripts/lint.sh; then count 1 0; else count 0 1; fi ;;
    *)
      echo "test: unknown stage '$stage'; scripts/test.sh begins with the list" >&2
      exit 2
      ;;
  esac
done

echo "$passed passed, $failed failed"
((failed == 0))
