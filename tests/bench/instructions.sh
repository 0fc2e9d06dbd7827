#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# instructions.sh BENCH: the instructions of one decision, for each kind of question.
set -eu
bench=$1

command -v valgrind >/dev/null || { echo "instructions a decision: not measured, there is no valgrind"; exit 0; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
valgrind --quiet --tool=callgrind --callgrind-out-file="$folder/out" --toggle-collect=ask --dump-after=ask \
    "$bench" --decide >"$folder/kinds"
part=0
while IFS=: read -r kind _; do
    part=$((part + 1))
    echo "  $kind: $(awk '/^totals:/ { printf "%d", $2 / 100000 }' "$folder/out.$part") instructions"
done <"$folder/kinds"
