#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh FOLDER SECONDS TARGET...: gives each of FOLDER/targets inputs for so long, from the packed corpus in
# the sources, the other tests' files of its kind, and what earlier runs added to FOLDER/corpus;
# FUZZ_JOBS (1) of them side by side, FUZZ_SEED (0: any) for libFuzzer's random choices. Prints a line for each; inputs that a target cannot stand are
# kept in FOLDER/crashes, and printed in base64; what libFuzzer said is in FOLDER/log, and its end is
# printed, too. At the end, the line of each such target again, with the first lines of its report. Exit 0 only if there were none.
set -eu

folder=$1 seconds=$2
shift 2
if [ $# -gt 1 ]; then
    rm -f "$folder/found"
    status=0
    printf '%s\n' "$@" | xargs -P "${FUZZ_JOBS:-1}" -I TARGET "$0" "$folder" "$seconds" TARGET || status=$?
    [ ! -e "$folder/found" ] || cat "$folder/found"
    exit "$status"
fi

# Those that there are.
folders() { # FOLDER...
    for given; do
        [ ! -d "$given" ] || echo "$given"
    done
}

# Seconds of user and system, of what `times` says of a shell's children.
cpu_of() { # FILE
    awk 'NR == 2 { split($1, own, /[ms]/); split($2, kernel, /[ms]/)
                   printf "%.0f", 60 * (own[1] + kernel[1]) + own[2] + kernel[2] }' "$1"
}

# Prints the log's end and the inputs that failed, as their files are not kept everywhere, such as in .ci/run.
tell() { # LOG
    tail -n 40 "$1"
    sed -n 's/.*Test unit written to //p' "$1" | while read -r input; do
        printf '%s, in base64: %s\n' "$input" "$(base64 -w 0 "$input")"
    done
}

# Why the target ended: what cmocka, a sanitizer or libFuzzer says first, or else the log's last lines.
reason() { # LOG
    grep -a -m 4 -E 'ERROR:|runtime error:|SUMMARY:|ALARM:|[Aa]ssert|!=|is not within' "$1" || tail -n 4 "$1"
}

# A target may be in another folder when it finds something.
# shellcheck disable=SC2046 # paths without blanks
fuzz() { # NAME TARGET [VARIABLE=VALUE]
    name=$1 target=$2
    shift 2
    log=$folder/log/$name words=$folder/words/$target
    mkdir -p "$folder/corpus/$target" "$folder/crashes" "$folder/log" "$folder/words"
    tests/fuzz/words.sh "$target" > "$words"
    rm -rf "$folder/seeds/$target"
    tests/fuzz/pack.py extract "tests/fuzz/corpus/$target.pack" "$folder/seeds/$target"
    status=0
    env "$@" "$folder/targets/$target" -max_total_time="$seconds" -seed="${FUZZ_SEED:-0}" -max_len=2048 -timeout=20 \
        -print_final_stats=1 -artifact_prefix="$(realpath "$folder")/crashes/$target-" $([ ! -s "$words" ] || echo "-dict=$words") \
        $(folders "$folder/corpus/$target" "$folder/seeds/$target" "tests/$target") > "$log" 2>&1 || status=$?
    times > "$log.times"
    executed=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    covered=$(sed -n 's/^#[0-9].*\(cov: [0-9]* ft: [0-9]*\).*/\1/p' "$log" | tail -n 1)
    found='nothing found'
    [ $status = 0 ] || found="FOUND, see $log"
    line="$name: $(cpu_of "$log.times") s of CPU, ${executed:-?} executions, ${covered:-no coverage}, $found"
    echo "$line"
    [ $status = 0 ] || { echo "$line, exit status $status" && reason "$log"; } >>"$folder/found"
    [ $status = 0 ] || tell "$log"
    return $status
}

# A shell of its own for each: its times are those of one.
(fuzz "$1" "$1") || found=1
[ "$1" != punycode ] || (fuzz 'punycode-any-processor' "$1" XN_CPU=generic) || found=1
exit "${found:-0}"
