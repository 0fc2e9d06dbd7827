#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# zone.sh SOURCE DIR: signs the test zone `example.` with fresh keys, for ten years.
# Makes DIR/example.zone.signed and DIR/example.anchor (the trust anchor, a DS record).
set -eu

source=$(realpath "$1")
rm -rf "$2"
mkdir -p "$2"
cd "$2"

ksk=$(ldns-keygen -a ECDSAP256SHA256 -k example)
zsk=$(ldns-keygen -a ECDSAP256SHA256 example)
ldns-signzone -o example -f example.zone.unfinished \
    -i "$(date -u -d '1 day ago' +%Y%m%d%H%M%S)" -e "$(date -u -d '10 years' +%Y%m%d%H%M%S)" \
    "$source" "$zsk" "$ksk"
ldns-key2ds -n -2 "$ksk.key" >example.anchor
mv example.zone.unfinished example.zone.signed
