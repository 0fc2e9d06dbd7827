#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# peers.sh PACKAGE...: unpacks servers that tests talk to, with the libraries they lack, into BUILD/peers.
# Nothing is installed, since Debian would start it. Needs no root; run a server with
# LD_LIBRARY_PATH=$(cat BUILD/peers/libraries).
# shellcheck disable=SC2046,SC2086,SC2116 # lists of packages are separate words
set -eu

build=${BUILD:-build}
peers=$build/peers
say() { echo "peers: $*"; }

if [ "$(cat "$peers/packages" 2>/dev/null)" = "$*" ]; then exit 0; fi

# rsyslog and syslog-ng cannot be installed together.
simulated() { [ $# = 0 ] || apt-get install -s --no-install-recommends "$@"; }
say "asking apt what they need"
missing=$({ simulated $(printf '%s\n' "$@" | grep -v '^rsyslog') && simulated $(printf '%s\n' "$@" | grep '^rsyslog'); } |
    awk '$1 == "Inst" { print $2 }' | sort -u)
for package; do # one that is installed already is unpacked all the same
    case " $(echo $missing) " in *" $package "*) ;; *) missing="$missing $package" ;; esac
done

# The installed version of a package that was built here is in no list, so each package is asked for in the newest version
# that a list has. One that no list has stays in the request, so that the download fails and names it.
exact=$({ apt-cache madison $missing | awk '/ Packages$/ { print $1, $3 }'; printf '%s\n' $missing; } |
    awk '!seen[$1]++ { print $1 (NF > 1 ? "=" $2 : "") }')

rm -rf "$peers"
mkdir -p "$peers/debs"
say "downloading" $missing
(cd "$peers/debs" && apt-get -q download $exact >log 2>&1) || {
    tail "$peers/debs/log" >&2
    say "the download failed; are this machine's package lists current (apt-get update)?" >&2
    exit 1
}
for deb in "$peers"/debs/*.deb; do dpkg-deb -x "$deb" "$peers"; done
rm -rf "$peers/debs"

find "$(cd "$peers" && pwd)" -name 'lib*.so*' -exec dirname {} + | sort -u | paste -sd : >"$peers/libraries"
echo "$*" >"$peers/packages"
