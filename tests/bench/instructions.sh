#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# instructions.sh TIMES FUNCTION PROGRAM [ARGUMENT...]: runs PROGRAM, which calls FUNCTION once for each line that it prints, under
# valgrind, and prints each line after the instructions of its call, divided by TIMES.
set -eu
times=$1 function=$2
shift 2

command -v valgrind >/dev/null || { echo "instructions.sh: valgrind is missing" >&2; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
valgrind --quiet --tool=callgrind --callgrind-out-file="$folder/out" --toggle-collect="$function" --dump-after="$function" "$@" >"$folder/lines"
part=0
while read -r line; do
    part=$((part + 1))
    echo "$(awk -v times="$times" '/^totals:/ { printf "%d", $2 / times }' "$folder/out.$part") $line"
done <"$folder/lines"
