# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Test scripts source this file. It prints a TAP line for each result. $number is the last test's number.

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
