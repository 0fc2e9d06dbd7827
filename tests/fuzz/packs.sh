#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# packs.sh REPLAY: what the replay program of a target, and pack.py, say of packs that are none, and that inputs come out
# of a pack as they went in. Prints TAP; run it from the top of the tree.
set -eu

replay=$1
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
. tests/tap.sh

refused() { # DESCRIPTION OCTETS MESSAGE
    printf '%b' "$2" >"$folder/pack"
    status=0
    said=$("$replay" "$folder/pack" 2>&1) || status=$?
    result "$1" "1 $3" "$status $(echo "$said" | sed "s:^$folder/::")"
    status=0
    tests/fuzz/pack.py list "$folder/pack" >"$folder/said" 2>&1 || status=$?
    [ "$3" = 'pack: octet 12: expected at least one input' ] || result "$1: pack.py" 1 "$status"
}
entry='a name of letters, digits, '"'.', '_' and '-'"', and a blank'
refused 'no pack' 'a 1\nx\n' "pack: octet 0: expected a packed corpus, which begins with the line 'fuzz corpus'"
refused 'nothing in it' 'fuzz corpus\n' 'pack: octet 12: expected at least one input'
refused 'no name' 'fuzz corpus\n 1\nx\n' "pack: octet 12: expected $entry"
refused 'a slash in a name' 'fuzz corpus\na/b 1\nx\n' "pack: octet 13: expected $entry"
refused 'no length' 'fuzz corpus\na \nx\n' 'pack: octet 14: expected a length and a line feed'
refused 'too long' 'fuzz corpus\na 9999999\nx\n' 'pack: octet 20: expected an input of at most 1 MiB'
refused 'cut' 'fuzz corpus\na 2\nx\n' 'pack: octet 16: expected as many octets as the length says, and a line feed'
refused 'a second one that is cut, before the first is run' 'fuzz corpus\na 1\nx\nb 1\n' 'pack: octet 22: expected as many octets as the length says, and a line feed'

mkdir "$folder/in"
printf 'fuzz corpus\n\0\377 1\n' >"$folder/in/octets"
: >"$folder/in/none"
tests/fuzz/pack.py add "$folder/inputs" "$folder"/in/*
tests/fuzz/pack.py extract "$folder/inputs" "$folder/out"
result 'inputs come out as they went in' same "$(diff -r "$folder/in" "$folder/out" && echo same)"
result 'each is one test' '1..2 ok 1 - none ok 2 - octets' "$("$replay" "$folder/inputs" | xargs)"
echo "1..$number"
