#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# memcheck.sh PROGRAM ARGUMENT...: runs PROGRAM under valgrind's memcheck, which reports reads of uninitialised memory, and
# prints its output. memcheck.sh -c PROGRAM COMMAND...: runs COMMAND, with {} for a program that runs PROGRAM in that way.
# Findings in PROGRAM, its children, or what they execute go to standard error; then the exit status is 1.
set -eu

folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
mkdir "$folder/found"
# The exit status of children that must fail, or that a signal ends, says nothing. A test that counts what it allocates
# keeps its own malloc. Other programs that the command starts run as they are.
memcheck="valgrind --quiet --vgdb=no --leak-check=no --trace-children=yes --soname-synonyms=somalloc=nouserintercepts \
    --trace-children-skip=*unbound-checkconf,*/ldd,*/setpriv --log-file=$folder/found/%p.%n"

status=0
if [ "$1" = -c ]; then
    program="$folder/${2##*/}"
    printf '#!/bin/sh\nexec %s %s "$@"\n' "$memcheck" "$(realpath "$2")" >"$program"
    chmod +x "$program"
    shift 2
    for argument; do
        shift
        [ "$argument" != '{}' ] || argument=$program
        set -- "$@" "$argument"
    done
    "$@" || status=$?
else
    # shellcheck disable=SC2086 # words
    $memcheck "$@" || status=$?
fi
for found in "$folder"/found/*; do
    [ -s "$found" ] || continue
    cat "$found" >&2
    status=1
done
exit "$status"
