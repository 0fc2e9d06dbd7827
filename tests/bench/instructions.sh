#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# instructions.sh PROGRAM OPTION TIMES FUNCTION: runs PROGRAM OPTION, which calls FUNCTION before each line that it prints, under
# valgrind, and prints each line after the instructions of its call, divided by TIMES.
set -eu
program=$1 option=$2 times=$3 function=$4

command -v valgrind >/dev/null || { echo "instructions: not measured, valgrind is missing"; exit 0; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
valgrind --quiet --tool=callgrind --callgrind-out-file="$folder/out" --toggle-collect="$function" --dump-after="$function" \
    "$program" "$option" >"$folder/lines"
part=0
while read -r line; do
    part=$((part + 1))
    echo "$(awk -v times="$times" '/^totals:/ { printf "%d", $2 / times }' "$folder/out.$part") $line"
done <"$folder/lines"
