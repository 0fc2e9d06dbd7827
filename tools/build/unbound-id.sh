#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Writes the header that ties a module to one daemon: unbound-id.sh CONFIG_DIR TREE DAEMON HEADER.
# Features of Unbound are read from its headers, not from its version: distributions backport changes.
# The header is left alone when nothing in it changes, so that make rebuilds nothing.
set -eu

config=$1/config.h tree=$2 daemon=$3 header=$4
say() { echo "unbound-id: $*" >&2; exit 1; }

[ -f "$config" ] || say "no configured Unbound in $1: run 'make unbound' (or give UNBOUND_SRC=dir)."
[ -f "$daemon" ] || say "no Unbound daemon $daemon: run 'make unbound' (or give UNBOUND_BIN=file)."

id=$(readelf -n "$daemon" 2>/dev/null | sed -n 's/^ *Build ID: *//p')
[ -n "$id" ] || say "$daemon has no build id: link it with -Wl,--build-id."

# MACRO HEADER PATTERN: defines the macro if a declaration of that header, on one line, matches.
feature() {
    if tr '\n\t' '  ' <"$tree/$2" | tr -s ' ' | grep -q "$3"; then echo "#define $1"; fi
}
features=$(
    feature XNM_HAS_DOQ util/netevent.h ' comm_doq[, ]'
    feature XNM_HAS_SUBNET_SENT_NO_SUBNET edns-subnet/subnetmod.h ' subnet_sent_no_subnet;'
    feature XNM_HAS_ATTACH_SUB_CLIENT services/mesh.h ' mesh_attach_sub([^)]*respip_client_info\*'
    feature XNM_HAS_CALLBACK_UNIQUE_INFO services/mesh.h ' mesh_new_callback([^)]*unique_info'
    feature XNM_HAS_REASON_BOGUS_STR util/data/msgreply.h ' reason_bogus_str;'
    feature XNM_HAS_STORE_VALREC services/cache/dns.h ' dns_cache_store([^)]*is_valrec'
)

mkdir -p "$(dirname "$header")"
cat >"$header.new" <<END
/* Made by tools/build/unbound-id.sh from $config and $daemon. */
#define XNM_UNBOUND_BUILD_ID "$id"
$features
END
if cmp -s "$header.new" "$header"; then rm "$header.new"; else mv "$header.new" "$header"; fi
