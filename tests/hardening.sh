#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hardening.sh COMMAND MODULE...: checks that the files have what the compiler and the linker were asked for, and that no
# library beside the command defines a name that another program may define. Prints TAP.
set -eu
. "$(dirname "$0")/tap.sh"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

found() { grep -Eq -- "$1" "$folder/$2" && echo yes || echo no; }
has() { result "$name: $1" yes "$(found "$2" "$3")"; }
lacks() { result "$name: $1" no "$(found "$2" "$3")"; }

read_all() { # FILE FUNCTION
    readelf -dW "$1" >"$folder/dynamic"
    readelf -lW "$1" >"$folder/segments"
    readelf --dyn-syms -W "$1" >"$folder/symbols"
    objdump -d --no-show-raw-insn "$1" | grep -A 1 'sub  *[$]0x1000,%rsp' >"$folder/frames" || :
    objdump -d --no-show-raw-insn --disassemble="$2" "$1" | grep -A 1 "<$2>:" >"$folder/entry"
}

check() { # FILE FUNCTION
    name=${1##*/}
    read_all "$1" "$2"
    has 'all addresses are bound at the start' BIND_NOW dynamic
    has 'and what they stand in is read-only then' GNU_RELRO segments
    has 'the stack is not executable' 'GNU_STACK .* RW +0x' segments
    lacks 'nothing is writable and executable' ' RWE ' segments
    lacks 'the loader changes no code, and searches no folder of its own' 'TEXTREL|RPATH|RUNPATH' dynamic
    has 'arrays on the stack are guarded' __stack_chk_fail symbols
    has 'lengths are checked' '__(memcpy|snprintf|vsnprintf|fprintf)_chk' symbols
    if readelf -hW "$1" | grep -q X86-64; then
        has 'no page of a large frame is skipped' '(or|mov)q +[$]0x0,\(%rsp\)' frames
        has 'what is called by address says so' endbr64 entry
    fi
}

command=$1
shift
for module; do check "$module" init; done
for library in "${command%/*}"/libxn.so.*; do check "$library" xn_idna_to_ascii; done
check "${command%/*}/libidnpolicy.so.1" idnp_open
check "$command" main
foreign() { # ARCHIVE PREFIX: what it defines for others without that prefix; nothing at all is a fault too
    nm -g --defined-only "$1" | awk -v prefix="^($2)" 'NF == 3 { n++; if ($3 !~ prefix) print $3 } END { if (!n) print "no symbols" }'
}
result 'libxn.a: every symbol begins with xn_' '' "$(foreign "${command%/*}/libxn.a" xn_)"
result 'libxnm.a: every symbol begins with xnm_ or xn_' '' "$(foreign "${command%/*}/libxnm.a" 'xnm_|xn_')"
name=${command##*/}
has 'it is loaded anywhere' 'FLAGS_1.* PIE' dynamic
echo "1..$number"
