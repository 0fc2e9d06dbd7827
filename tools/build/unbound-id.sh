#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Writes the header that ties a module to one daemon: unbound-id.sh CONFIG_DIR DAEMON HEADER
# The header is left alone when nothing in it changes, so that make rebuilds nothing.
set -eu

config=$1/config.h daemon=$2 header=$3
say() { echo "unbound-id: $*" >&2; exit 1; }

[ -f "$config" ] || say "no configured Unbound in $1: run 'make unbound' (or give UNBOUND_SRC=dir)."
[ -f "$daemon" ] || say "no Unbound daemon $daemon: run 'make unbound' (or give UNBOUND_BIN=file)."

id=$(readelf -n "$daemon" 2>/dev/null | sed -n 's/^ *Build ID: *//p')
[ -n "$id" ] || say "$daemon has no build id: link it with -Wl,--build-id."

version=$(sed -n 's/^#define PACKAGE_VERSION "\(.*\)"$/\1/p' "$config")
number=$(echo "$version" | awk -F. '{ printf "%d%02d%02d", $1, $2, $3 }')

mkdir -p "$(dirname "$header")"
cat >"$header.new" <<END
/* Made by tools/build/unbound-id.sh from $config and $daemon. */
#define XNM_UNBOUND_VERSION $number
#define XNM_UNBOUND_BUILD_ID "$id"
END
if cmp -s "$header.new" "$header"; then rm "$header.new"; else mv "$header.new" "$header"; fi
