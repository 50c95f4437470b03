#!/usr/bin/env bash
# Runs one libFuzzer target for some seconds: scripts/fuzz-one.sh TARGET SECONDS
# Starts from tests/fuzz/corpus/TARGET and tests/fuzz/regressions/TARGET; what it learns is kept in
# build/fuzz/corpus/TARGET for the next run. QUANTIPLAN_FUZZ_SEED makes a run repeatable; 0, the default, draws one.
set -euo pipefail
cd "$(dirname "$0")/.."

target=$1
seconds=$2
learnt=build/fuzz/corpus/$target
log=build/fuzz/logs/$target.log
mkdir -p "$learnt" build/fuzz/found build/fuzz/logs
folders=("$learnt")
for seeds in "tests/fuzz/corpus/$target" "tests/fuzz/regressions/$target"; do
  [[ -d $seeds ]] && folders+=("$seeds")
done

echo "Fuzzing $target for $seconds s"
build/sanitize/fuzzers/"$target" -seed="${QUANTIPLAN_FUZZ_SEED:-0}" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
  -artifact_prefix="build/fuzz/found/$target-" "${folders[@]}" > "$log" 2>&1
touch "${log%.log}.passed"
