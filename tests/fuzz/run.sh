#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh FOLDER SECONDS TARGET...: gives each of FOLDER/targets inputs for so long, from the corpus in
# the sources and what earlier runs added to FOLDER/corpus. Prints a line for each; inputs that a
# target cannot stand are kept in FOLDER/crashes, and what libFuzzer said in FOLDER/log. Exit 0 only
# if there were none.
set -eu

folder=$1 seconds=$2
shift 2
found=0

fuzz() { # NAME TARGET [VARIABLE=VALUE]
    name=$1 target=$2
    shift 2
    log=$folder/log/$name
    mkdir -p "$folder/corpus/$target" "$folder/crashes" "$folder/log"
    status=0
    env "$@" "$folder/targets/$target" -max_total_time="$seconds" -max_len=2048 -timeout=20 \
        -print_final_stats=1 -artifact_prefix="$folder/crashes/$target-" \
        "$folder/corpus/$target" "tests/fuzz/corpus/$target" > "$log" 2>&1 || status=$?
    executed=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    covered=$(sed -n 's/^#[0-9].*\(cov: [0-9]* ft: [0-9]*\).*/\1/p' "$log" | tail -n 1)
    echo "$name: ${executed:-?} executions, ${covered:-no coverage}, $([ $status = 0 ] && echo nothing found || echo "FOUND, see $log")"
    [ $status = 0 ] || found=1
}

for target; do
    fuzz "$target" "$target"
    [ "$target" != punycode ] || fuzz 'punycode-any-processor' "$target" XN_CPU=generic
done
exit $found
