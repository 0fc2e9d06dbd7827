#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# querycost.sh TEST_QUERYCOST: the names that cost most instructions, to read and with a policy of every kind of rule.
set -eu
test=$1

command -v valgrind >/dev/null || { echo "instructions a query: not measured, there is no valgrind"; exit 0; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for part in reading all; do
    valgrind --quiet --tool=callgrind --callgrind-out-file="$folder/$part" --toggle-collect=measure_$part \
        --dump-after=measure_$part "$test" --once >"$folder/names"
    n=0
    while read -r name; do
        n=$((n + 1))
        echo "$(awk '/^totals:/ { print $2 }' "$folder/$part.$n") instructions, $part: $name"
    done <"$folder/names" | sort -rn | head -n 5
done
