#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compiles doc/example.c against what was built and runs it: example.sh LIBXN [CFLAG...]. Prints TAP.
# tests/install.sh does what its comment says.
set -eu

library=$1
shift
program=${library%/*}/tests/example
mkdir -p "${program%/*}"
# shellcheck disable=SC2046 # pkg-config's words
${CC:-cc} "$@" -I"${library%/*}/include" -o "$program" doc/example.c "$library" $(pkg-config --libs icu-i18n icu-uc)
wanted='www.p\u{430}ypal.example
label 2 is restricted: script-mix'
if [ "$("$program")" = "$wanted" ]; then echo 'ok 1 - what it prints'; else echo 'not ok 1 - what it prints'; fi
echo 1..1
