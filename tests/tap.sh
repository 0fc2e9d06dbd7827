# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# For test scripts to read in: prints a test of TAP for each result. $number is that of the last one.

number=0
result() { # DESCRIPTION EXPECTED GOT
    number=$((number + 1))
    if [ "$2" = "$3" ]; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1"
        printf 'expected %s\ngot %s\n' "$2" "$3" | sed 's/^/# /'
    fi
}
