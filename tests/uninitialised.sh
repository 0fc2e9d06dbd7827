#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# uninitialised.sh CC: what tests/memcheck.sh says of a program, a child and an executed program that read what nothing has
# written, and of one that does not. Prints TAP.
set -eu

cc=$1
here=${0%/*}
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
. "$here/tap.sh"

# shellcheck disable=SC2086 # a compiler and its options
$cc -O0 -g -x c -o "$folder/program" - <<'END'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    volatile char *octets = malloc(2);
    if (argc > 2)
        execv(argv[0], (char *[]){argv[0], argv[2], NULL});
    octets[argv[1][0] == 'g' || argv[1][0] == 'f'] = 0;
    if (argv[1][0] == 'c' && fork() > 0)
        return wait(NULL) < 0;
    if (octets[1] == 'x')
        return 4;
    return argv[1][0] == 'f' ? 3 : 0;
}
END

said() { # COMMAND...
    status=0
    "$@" >"$folder/said" 2>&1 || status=$?
    sed -n 's/^==[0-9]*== \(Conditional jump.*\)/\1/p' "$folder/said"
    echo "status $status"
}
found='Conditional jump or move depends on uninitialised value(s)
status 1'
result 'a good program' 'status 0' "$(said "$here/memcheck.sh" "$folder/program" good)"
result 'its exit status' 'status 3' "$(said "$here/memcheck.sh" "$folder/program" fails)"
result 'a read of what nothing has written' "$found" "$(said "$here/memcheck.sh" "$folder/program" bad)"
result '… in a child' "$found" "$(said "$here/memcheck.sh" "$folder/program" child)"
result '… in what is executed' "$found" "$(said "$here/memcheck.sh" "$folder/program" execute bad)"
# shellcheck disable=SC2016 # for the inner shell
result '… by a command' "$found" "$(said "$here/memcheck.sh" -c "$folder/program" sh -c '"$1" bad' sh '{}')"
result 'a good program, by a command' 'status 0' "$(said "$here/memcheck.sh" -c "$folder/program" '{}' good)"
echo "1..$number"
