#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# appendix-c.sh FILE: builds the program of RFC 3492, appendix C, out of the distribution's libidn-dev: libidn.a has its
# functions, example2.c its main(). Nothing is installed. CC: the compiler.
set -eu

mkdir -p "$(dirname "$1")"
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
say() { echo "appendix-c: $*"; }

[ ! -x "$program" ] || exit 0
folder=$program.parts
rm -rf "$folder"
mkdir -p "$folder"
say "fetching libidn-dev"
(cd "$folder" && apt-get -q download libidn-dev) >"$folder/log" 2>&1 || {
    tail "$folder/log" >&2
    say "libidn-dev could not be fetched; are this machine's package lists current (apt-get update)?" >&2
    exit 1
}
dpkg-deb -x "$folder"/*.deb "$folder"

# The example has a mistake that the RFC has not: "\0x40", four characters, for the "@" in a table with one for each octet.
sed 's/"\\0x40"/"@"/' "$folder/usr/share/doc/libidn-dev/examples/example2.c" >"$folder/main.c"
library=$(find "$folder/usr/lib" -name libidn.a)
${CC:-cc} -w -I "$folder/usr/include" -o "$program.new" "$folder/main.c" "$library"
[ "$(echo 'u+0062 U+00FC' | "$program.new" -e)" = b-ehA ] || { say "the program does not encode." >&2; exit 1; }
mv "$program.new" "$program"
rm -rf "$folder"
